import { z } from 'zod';
import { count, measure, percent, points, share } from './field.ts';
import { INCLUDES, includedParts, includeOf } from './include.ts';
import { label } from './label.ts';
import { newsItem } from './news.ts';
import { airlineCode, calendarDate, flag, localTime, routeParams } from './params.ts';

/** Parameters that name a flight. */
export const flightParams = routeParams.extend({
  airline: airlineCode.meta({
    description: 'IATA code of the airline, two letters or digits.',
    example: 'AA',
  }),
  date: calendarDate.meta({
    description:
      'Departure date, `YYYY-MM-DD`: from the first month of the history to 365 days after today, by the calendar at the origin.',
    example: '2026-03-20',
  }),
  dep_time: localTime.optional().meta({
    description:
      'Local departure time, `HH:MM`: all of the score is of that hour, at both ends; `stats` stay those of all hours, but for congestion. Without it, the expectation over the hours the airline flies the route in, each weighing its flights, so that the two agree on average.',
    example: '17:30',
  }),
});

/** Parameters of `/api/score`. */
export const scoreParams = flightParams.extend({
  news: flag.meta({ description: 'Adds the array `news`; it never changes the score.' }),
  include: includeOf(INCLUDES).meta({ example: ['lineage', 'blend'] }),
});

/** What the record says of such flights, as raw counts. */
export const stats = z
  .strictObject({
    delay_rate_pct: percent.describe(
      'Flights delayed more than 30 minutes, of those that arrived as planned or late; 2 decimals.',
    ),
    cancel_rate_pct: percent.describe('Flights cancelled, of all scheduled; 2 decimals.'),
    avg_delay_min: measure('minutes')
      .min(0)
      .describe('Average delay of the delayed flights alone; 0 when there is none; 1 decimal.'),
    n_flights: count('flights').describe('Flights of the history that were used.'),
    confidence_pct: points
      .meta({ 'x-unit': '%' })
      .describe(
        "n / (n + n0), n the airline's own flights on the route; 25 at most with `route_any_airline`, 0 with `no_data`.",
      ),
    congestion_dep: share.describe('Congestion of the departure airport; 3 decimals.'),
    congestion_arr: share.describe('Congestion of the arrival airport; 3 decimals.'),
    ml_probability: percent
      .nullable()
      .describe(
        "The model's probability of a delay of more than 30 minutes; null without a model; 2 decimals.",
      ),
  })
  .describe('What the record says of such flights, as raw counts.');

/** The six factors. */
export const componentKey = z
  .enum(['delay_rate', 'cancel_rate', 'congestion', 'weather', 'seasonality', 'event_risk'])
  .describe('One of the six factors.');

/** The history an answer rests on. */
export const dataSource = z
  .enum(['exact', 'route_any_airline', 'no_data'])
  .describe(
    'The history the score rests on: `exact` is the airline on the route, `route_any_airline` all airlines on it; with `no_data` all counts are 0 and the score rests on what is known of the airports and the airline.',
  );

/** What one factor adds to the score. */
export const component = z
  .strictObject({
    key: componentKey,
    name: z.string().describe('Display name of the factor.'),
    value: share.describe('The factor on a scale of its own; 4 decimals.'),
    label: label.describe('The band of 100 × `value`.'),
    contribution: measure('points').describe(
      "Points of the final score, below 0 where the factor is better than for an average flight; with the model's part they add up to the score before rounding; 2 decimals.",
    ),
  })
  .describe('What one factor adds to the score.');

/** The weather of an airport's local day. */
export const weather = z
  .strictObject({
    score: share.describe('Weather risk; 4 decimals.'),
    condition: z
      .string()
      .describe(
        'The weather in words. Up to 16 days ahead it is the forecast; beyond, it begins with `Typical for`, the mean of the month there; `Unavailable` where neither is known, with the risk of typical weather.',
      ),
    temp: measure('°C').nullable().describe('Mean of the day; 1 decimal.'),
    wind: measure('km/h').nullable().describe('Wind of the worst hour; 1 decimal.'),
    precip: measure('mm').nullable().describe('Precipitation of the worst hour; 1 decimal.'),
  })
  .describe("The weather of an airport's local day.");

/** An airport for people. */
export const place = z
  .strictObject({
    name: z.string().describe('Name of the airport.'),
    city: z.string().describe('Its city.'),
    country: z.string().describe('Its country.'),
  })
  .describe('An airport for people.');

/** Answer of `/api/score`, fields in the order of the specification; what is optional comes when asked for. */
export const scoreBody = z.strictObject({
  score: points.describe('The risk, 0 (lowest) to 100 (highest).'),
  score_linear: points.describe('The statistical score alone, before the model.'),
  score_ml: points.nullable().describe("The model's estimate; null when it is unavailable."),
  ml_available: z.boolean().describe('Whether the model contributed to `score`.'),
  label: label.describe('The band of `score`.'),
  recommendation: z
    .string()
    .describe('One sentence on the risk and its main cause; events in force go first.'),
  input: z
    .strictObject({
      origin: z.string().describe('IATA code of the departure airport.'),
      destination: z.string().describe('IATA code of the arrival airport.'),
      airline: z.string().describe('IATA code of the airline.'),
      flight_date: z.iso.date().describe('Departure date at the origin.'),
      dep_time: z
        .string()
        .optional()
        .describe('Local departure time, `HH:MM`; present when it was given.'),
    })
    .describe('The flight that was asked for.'),
  stats,
  components: z.array(component).length(6).describe('The factors, highest contribution first.'),
  weather_dep: weather.describe('Weather at the departure airport on the day.'),
  weather_arr: weather.describe(
    'Weather at the arrival airport on the day of arrival, that of `dep_time` or of a departure in the afternoon.',
  ),
  data_source: dataSource,
  data_provider: z
    .string()
    .describe('Who recorded the flights; `bts` is the US Bureau of Transportation Statistics.'),
  airline_info: z
    .strictObject({
      name: z.string().describe('Full name of the airline.'),
      country: z.string().describe('Its country.'),
    })
    .describe('The airline for people.'),
  origin_info: place.describe('The departure airport for people.'),
  dest_info: place.describe('The arrival airport for people.'),
  news: z
    .array(newsItem)
    .optional()
    .describe("News that touch that airline's flight; present with `news=true`."),
  ...includedParts,
});

export type FlightParams = z.output<typeof flightParams>;
export type ScoreBody = z.infer<typeof scoreBody>;
