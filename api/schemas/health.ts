import { z } from 'zod';
import { instant, monthName, openEnum } from './field.ts';

const part = openEnum(['ok', 'unavailable']);
/** `old`: the last fetch was too long ago, so answers do not use its data. */
const source = openEnum(['ok', 'old', 'unavailable']);

/** Response of `/api/health`. */
export const healthBody = z.strictObject({
  status: openEnum(['ok', 'degraded', 'error']).describe(
    '`ok`: everything works. `degraded`: calls are answered, but a part of the service has a problem. `error`, with HTTP 503: calls with a key cannot be answered.',
  ),
  time: instant.describe('Time of the response, ISO 8601 in UTC.'),
  components: z
    .strictObject({
      api: part.describe('The API process.'),
      database: part.describe('The score store and Redis together; Redis must accept writes.'),
      keys: openEnum(['ok', 'lost']).describe(
        '`lost`: some keys are lost until an operator restores them; calls with them get 401.',
      ),
      ml_model: part.describe('The model. Without it, scores use statistics only.'),
      weather: source.describe('The weather forecasts.'),
      news: source.describe('The news.'),
      history: openEnum([
        'ok',
        'behind',
        'old_flights',
        'old_levels',
        'old',
        'unavailable',
      ]).describe(
        '`ok`, `behind` if newer months are published, or the part of the history that is too old.',
      ),
      operations: openEnum(['ok', 'degraded', 'failing']).describe(
        'The state that `make status` and the alerts show to operators. These problems do not always affect answers.',
      ),
    })
    .describe('State of each part; `ok` when healthy.'),
  history: z
    .strictObject({
      flights_until: monthName.nullable().describe('Newest month of flights, `YYYY-MM`.'),
      levels_until: monthName
        .nullable()
        .describe(
          'Newest month of the table of current delays by airline and airport; null without a table.',
        ),
    })
    .describe('The newest months used in answers.'),
  weather: z
    .strictObject({
      fetched_at: instant
        .nullable()
        .describe('Time of the newest forecast, ISO 8601 in UTC; null if never fetched.'),
    })
    .describe('The forecasts used for weather. Without them, scores use typical weather.'),
  news: z
    .strictObject({
      fetched_at: instant
        .nullable()
        .describe(
          'Time of the last fetch of the general feeds, ISO 8601 in UTC; null if never fetched.',
        ),
    })
    .describe(
      'The news used for `event_risk`. Without news, `event_risk` uses holidays and, if known, the airport status.',
    ),
});

export type HealthBody = z.infer<typeof healthBody>;
