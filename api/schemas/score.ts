import { z } from 'zod';
import { include, includedParts } from './include.ts';
import { label } from './label.ts';
import { newsItem } from './news.ts';
import { airlineCode, calendarDate, flag, localTime, routeParams } from './params.ts';

/** Parameters that name a flight. */
export const flightParams = routeParams.extend({
  airline: airlineCode.meta({
    description: 'IATA code of the airline, two letters or digits in any case.',
    example: 'AA',
  }),
  date: calendarDate.meta({
    description:
      'Departure date at the origin, from the first month of the history to 365 days after today.',
    example: '2026-12-20',
  }),
  dep_time: localTime.optional().meta({
    description:
      'Local departure time. Without it the hours count in which the airline flies the route.',
    example: '17:30',
  }),
});

/** Parameters of `/api/score`. */
export const scoreParams = flightParams.extend({
  news: flag.meta({ description: 'Adds the news of the route; never changes the score.' }),
  include: include.meta({
    description: 'Parts to add to the answer, with commas between.',
    example: 'lineage,blend',
  }),
});

const points = z.int().min(0).max(100);
const share = z.number().min(0).max(1);
const percent = z.number().min(0).max(100);

const stats = z.strictObject({
  delay_rate_pct: percent,
  cancel_rate_pct: percent,
  avg_delay_min: z.number().min(0),
  n_flights: z.int().min(0),
  confidence_pct: points,
  congestion_dep: share,
  congestion_arr: share,
  ml_probability: percent.nullable(),
});

/** The six factors. */
export const componentKey = z.enum([
  'delay_rate',
  'cancel_rate',
  'congestion',
  'weather',
  'seasonality',
  'event_risk',
]);

/** The history an answer rests on. */
export const dataSource = z.enum(['exact', 'route_any_airline', 'no_data']);

const component = z.strictObject({
  key: componentKey,
  name: z.string(),
  value: share,
  label,
  contribution: z.number(),
});

const weather = z.strictObject({
  score: share,
  condition: z.string(),
  temp: z.number().nullable(),
  wind: z.number().nullable(),
  precip: z.number().nullable(),
});

const place = z.strictObject({ name: z.string(), city: z.string(), country: z.string() });

/** Answer of `/api/score`, fields in the order of the specification; what is optional comes when asked for. */
export const scoreBody = z.strictObject({
  score: points,
  score_linear: points,
  score_ml: points.nullable(),
  ml_available: z.boolean(),
  label,
  recommendation: z.string(),
  input: z.strictObject({
    origin: z.string(),
    destination: z.string(),
    airline: z.string(),
    flight_date: z.iso.date(),
    dep_time: z.string().optional(),
  }),
  stats,
  components: z.array(component).length(6),
  weather_dep: weather,
  weather_arr: weather,
  data_source: dataSource,
  data_provider: z.string(),
  airline_info: z.strictObject({ name: z.string(), country: z.string() }),
  origin_info: place,
  dest_info: place,
  news: z.array(newsItem).optional(),
  ...includedParts,
});

export type FlightParams = z.output<typeof flightParams>;
export type ScoreBody = z.infer<typeof scoreBody>;
