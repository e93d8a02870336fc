import { z } from 'zod';
import { label } from './label.ts';
import { routeParams } from './params.ts';

/** Parameters of `/api/airlines`. */
export const airlinesParams = routeParams;

const airlineEntry = z.strictObject({
  airline: z.string(),
  airline_name: z.string(),
  score: z.int().min(0).max(100),
  label,
  delay_rate: z.number().min(0).max(1),
  total_flights: z.int().min(0),
  confidence: z.number().min(0).max(1),
});

/** Answer of `/api/airlines`; lowest score first. */
export const airlinesBody = z.strictObject({
  origin: z.string(),
  dest: z.string(),
  airlines: z.array(airlineEntry),
});

export type AirlineEntry = z.infer<typeof airlineEntry>;
export type AirlinesBody = z.infer<typeof airlinesBody>;
