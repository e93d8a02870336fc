import { z } from 'zod';
import { label } from './label.ts';

/** Answer of `/api/explain`, as the specification plans it. */
export const explainBody = z.strictObject({
  origin: z.string(),
  destination: z.string(),
  airline: z.string(),
  date: z.iso.date(),
  score: z.int().min(0).max(100),
  label,
  explanation: z.string(),
});

export type ExplainBody = z.infer<typeof explainBody>;
