import { z } from 'zod';
import { label } from './label.ts';
import { calendarMonth } from './params.ts';
import { componentKey, dataSource, flightParams } from './score.ts';

/** Parameters of `/api/calendar`. */
export const calendarParams = flightParams.omit({ date: true }).extend({
  month: calendarMonth.meta({
    description: 'The month, with at least one day that can be scored.',
    example: '2026-12',
  }),
});

const day = z.strictObject({
  date: z.iso.date(),
  weekday: z.int().min(1).max(7),
  score: z.int().min(0).max(100).nullable(),
  label: label.nullable(),
  top_factor: componentKey.nullable(),
});

/** Answer of `/api/calendar`; every day of the month in order. */
export const calendarBody = z.strictObject({
  origin: z.string(),
  dest: z.string(),
  airline: z.string(),
  month: z.string(),
  data_source: dataSource,
  confidence_pct: z.int().min(0).max(100),
  days: z.array(day).min(28).max(31),
});

export type CalendarBody = z.infer<typeof calendarBody>;
