import { z } from 'zod';
import { measure } from './field.ts';

/** A day near a holiday, with its effect. */
export const holidayDay = z.strictObject({
  name: z.string().describe('Name of the day, such as `Thanksgiving Sunday`.'),
  odds: measure('ratio')
    .min(0)
    .describe(
      'Odds of a delay on that day, divided by those on the same weekday of the month; below 1 is better.',
    ),
});
