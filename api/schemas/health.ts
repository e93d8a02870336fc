import { z } from 'zod';
import { instant, monthName, openEnum } from './field.ts';

const part = openEnum(['ok', 'unavailable']);

/** Answer of `/api/health`. */
export const healthBody = z.strictObject({
  status: openEnum(['ok', 'degraded', 'error']).describe(
    '`ok`; `degraded` while answers lack a part; `error`, with HTTP 503, while calls with a key cannot be answered.',
  ),
  time: instant.describe('Of the answer, ISO 8601 in UTC.'),
  components: z
    .strictObject({
      api: part.describe('This process.'),
      database: part.describe('The score store and Redis together.'),
      ml_model: part.describe('The model; without it scores rest on statistics alone.'),
      history: openEnum(['ok', 'old_flights', 'old_levels', 'old', 'unavailable']).describe(
        'Which part of the history is too old.',
      ),
    })
    .describe('Each part by name; `ok` when healthy.'),
  history: z
    .strictObject({
      flights_until: monthName.nullable().describe('Newest month of flights, `YYYY-MM`.'),
      levels_until: monthName
        .nullable()
        .describe(
          'Newest month of the table that tells how late airlines and airports are now; null without one.',
        ),
    })
    .describe('The newest months that answers rest on.'),
  news: z
    .strictObject({
      fetched_at: instant
        .nullable()
        .describe('When the general feeds were fetched last, ISO 8601 in UTC; null: never.'),
    })
    .describe(
      'The news behind `event_risk`; without them it rests on holidays and, where there is one, the airport status.',
    ),
});

export type HealthBody = z.infer<typeof healthBody>;
