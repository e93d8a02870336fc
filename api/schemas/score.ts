import { z } from 'zod';
import { newsItem } from './news.ts';
import { airlineCode, airportCode, calendarDate, flag } from './params.ts';

/** Parameters of `/api/score`. */
export const scoreParams = z.object({
  origin: airportCode,
  dest: airportCode,
  airline: airlineCode,
  date: calendarDate,
  news: flag,
});

/** The four labels, lowest risk first. */
export const label = z.enum(['Low', 'Moderate', 'High', 'Very High']);

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

const component = z.strictObject({
  key: z.enum(['delay_rate', 'cancel_rate', 'congestion', 'weather', 'seasonality', 'event_risk']),
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

/** Answer of `/api/score`, fields in the order of the specification. */
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
  }),
  stats,
  components: z.array(component).length(6),
  weather_dep: weather,
  weather_arr: weather,
  data_source: z.enum(['exact', 'route_any_airline', 'no_data']),
  data_provider: z.string(),
  airline_info: z.strictObject({ name: z.string(), country: z.string() }),
  origin_info: place,
  dest_info: place,
  news: z.array(newsItem).optional(),
});

export type ScoreParams = z.output<typeof scoreParams>;
export type ScoreBody = z.infer<typeof scoreBody>;
