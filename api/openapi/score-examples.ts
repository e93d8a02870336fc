import type { BatchBody } from '../schemas/batch.ts';
import type { ScoreBody } from '../schemas/score.ts';

/** Example response of `/api/score`. */
export const SCORE_EXAMPLE = {
  score: 57,
  score_linear: 57,
  score_ml: null,
  ml_available: false,
  label: 'High',
  recommendation:
    'Elevated risk, raised most by the delay record of this flight: check alternatives or add buffer time.',
  input: {
    origin: 'JFK',
    destination: 'LAX',
    airline: 'AA',
    flight_date: '2026-03-20',
  },
  stats: {
    delay_rate_pct: 20,
    cancel_rate_pct: 1.5,
    avg_delay_min: 60,
    n_flights: 1000,
    confidence_pct: 95,
    congestion_dep: 0.712,
    congestion_arr: 0.4,
    ml_probability: null,
  },
  components: [
    {
      key: 'delay_rate',
      name: 'Historical delay rate',
      value: 0.7092,
      label: 'High',
      contribution: 49.07,
    },
    {
      key: 'congestion',
      name: 'Airport congestion',
      value: 0.5562,
      label: 'High',
      contribution: 6.5,
    },
    {
      key: 'cancel_rate',
      name: 'Historical cancellation rate',
      value: 0.5015,
      label: 'Moderate',
      contribution: 1.92,
    },
    {
      key: 'weather',
      name: 'Weather',
      value: 0.2443,
      label: 'Low',
      contribution: 0,
    },
    {
      key: 'seasonality',
      name: 'Seasonality',
      value: 0.5,
      label: 'Moderate',
      contribution: 0,
    },
    {
      key: 'event_risk',
      name: 'Event risk',
      value: 0,
      label: 'Low',
      contribution: 0,
    },
  ],
  weather_dep: {
    score: 0.2443,
    condition: 'Unavailable',
    temp: null,
    wind: null,
    precip: null,
  },
  weather_arr: {
    score: 0.2443,
    condition: 'Unavailable',
    temp: null,
    wind: null,
    precip: null,
  },
  data_source: 'exact',
  data_provider: 'bts',
  airline_info: {
    name: 'American Airlines',
    country: 'United States',
  },
  origin_info: {
    name: 'John F. Kennedy International Airport',
    city: 'New York',
    country: 'United States',
  },
  dest_info: {
    name: 'Los Angeles International Airport',
    city: 'Los Angeles',
    country: 'United States',
  },
} satisfies ScoreBody;

const { input, stats, components, ...shared } = SCORE_EXAMPLE;
/** The factors that differ between the two flights. */
const DELTA_FACTORS: Record<string, object> = {
  delay_rate: { value: 0.4476, label: 'Moderate', contribution: 31.6 },
  cancel_rate: { contribution: 3.52 },
};

/** Example response of `/api/score/batch`: two flights of the same day, without errors. */
export const BATCH_EXAMPLE = {
  count: 2,
  results: [
    { flight: 'JFK-LAX-AA-2026-03-20', result: SCORE_EXAMPLE },
    {
      flight: 'JFK-LAX-DL-2026-03-20T17:30',
      result: {
        ...shared,
        score: 42,
        score_linear: 42,
        label: 'Moderate',
        recommendation:
          'Some risk, lowered most by the good delay record of this flight: consider a flexible fare and check again closer to departure.',
        input: { ...input, airline: 'DL', dep_time: '17:30' },
        stats: { ...stats, delay_rate_pct: 10, avg_delay_min: 120 },
        components: components.map((one) => ({ ...one, ...DELTA_FACTORS[one.key] })),
        airline_info: { name: 'Delta Air Lines', country: 'United States' },
      },
    },
  ],
} satisfies BatchBody;
