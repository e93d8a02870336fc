import { z } from 'zod';
import { count, points } from './field.ts';
import { holidayDay } from './holiday.ts';
import { label, componentKey } from './label.ts';
import { calendarMonth, signedParam } from './params.ts';
import { dataSource, flightParams, numberFields } from './score.ts';

/** Parameters of `/api/calendar`. */
export const calendarParams = flightParams.omit({ date: true }).extend({
  month: calendarMonth.meta({
    description:
      'The month, `YYYY-MM`. At least one of its days must be a valid `date` for `/api/score`.',
    example: '2026-03',
  }),
  signed: signedParam,
});

/** One day of a month. */
export const calendarDay = z.strictObject({
  date: z.iso.date().describe('The day, `YYYY-MM-DD`.'),
  weekday: count('day of the week', 1).max(7).describe('1 (Monday) to 7 (Sunday).'),
  score: points
    .nullable()
    .describe(
      'The score of `/api/score` on that day. Null if `/api/score` refuses the date; then `label` and `top_factor` are null too.',
    ),
  label: label.nullable().describe('The band of `score`.'),
  holiday: holidayDay
    .nullable()
    .describe(
      'If the day is near a holiday: its name, and by how much it changes the risk. Null on any other day.',
    ),
  top_factor: componentKey
    .nullable()
    .describe(
      'The top driver: the factor that raises the risk most compared with an average flight or, if the risk is low, lowers it most. Null if every factor is about average.',
    ),
});

/** Response of `/api/calendar`: every day of the month in order. */
export const calendarBody = z.strictObject({
  origin: z.string().describe('IATA code of the departure airport.'),
  dest: z.string().describe('IATA code of the arrival airport.'),
  airline: z.string().describe('IATA code of the airline.'),
  ...numberFields,
  month: z.string().describe('The month, `YYYY-MM`.'),
  data_source: dataSource,
  confidence_pct: points.meta({ 'x-unit': '%' }).describe('As in `stats` of `/api/score`.'),
  days: z.array(calendarDay).min(28).max(31).describe('Every day of the month, in order.'),
});

export type CalendarBody = z.infer<typeof calendarBody>;
