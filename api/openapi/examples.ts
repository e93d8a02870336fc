import type { AirlinesBody } from '../schemas/airlines.ts';
import type { BatchBody } from '../schemas/batch.ts';
import type { CalendarBody } from '../schemas/calendar.ts';
import type { ExplainBody } from '../schemas/explain.ts';
import type { HealthBody } from '../schemas/health.ts';
import type { ModelBody } from '../schemas/model.ts';
import type { NewsBody } from '../schemas/news.ts';
import type { ScoreBody } from '../schemas/score.ts';
import { KEY_EXAMPLES } from './key-examples.ts';
import { MODEL_EXAMPLE } from './model-example.ts';
import type { RecordBody } from '../schemas/record.ts';
import type { CoverageBody } from '../schemas/coverage.ts';
import { COVERAGE_EXAMPLE } from './coverage-example.ts';
import { RECORD_EXAMPLE } from './record-example.ts';
import { WATCH_EXAMPLES } from './watch-examples.ts';
import { BATCH_EXAMPLE, SCORE_EXAMPLE } from './score-examples.ts';
import { TRIP_EXAMPLES } from './trip-examples.ts';

/** An example response of each endpoint. A test checks that docs/api.md shows the same examples. */
export const EXAMPLES = {
  score: SCORE_EXAMPLE,
  batch: BATCH_EXAMPLE,
  calendar: {
    origin: 'JFK',
    dest: 'LAX',
    airline: 'AA',
    month: '2027-02',
    data_source: 'exact',
    confidence_pct: 95,
    days: Array.from({ length: 28 }, (_, day) => ({
      date: `2027-02-${String(day + 1).padStart(2, '0')}`,
      weekday: (day % 7) + 1,
      score: 57,
      label: 'High' as const,
      holiday: null,
      top_factor: 'delay_rate' as const,
    })),
  },
  ...TRIP_EXAMPLES,
  airlines: {
    origin: 'JFK',
    dest: 'LAX',
    airlines: [
      {
        airline: 'DL',
        airline_name: 'Delta Air Lines',
        score: 42,
        label: 'Moderate',
        delay_rate: 0.1,
        total_flights: 1000,
        confidence: 0.9524,
      },
    ],
  },
  news: {
    origin: 'JFK',
    dest: 'LAX',
    news: [
      {
        title: 'Controllers strike on Friday',
        summary: 'A strike of controllers will delay most flights from New York.',
        source: 'Example Times',
        url: 'https://news.example/strike',
        published_at: '2026-03-10T12:00:00.000Z',
        impact: 'high',
        event_type: 'strike',
        severity: 0.8,
      },
    ],
    meta: {
      count: 1,
      cached: true,
      fetched_at: '2026-03-10T13:00:00.000Z',
      cache_ttl_hours: 6,
    },
  },
  explain: {
    origin: 'JFK',
    destination: 'LAX',
    airline: 'AA',
    date: '2026-03-20',
    score: 57,
    label: 'High',
    explanation:
      'Our history has 1,000 flights of American Airlines from New York to Los Angeles: 20% arrived more than 30 minutes late, by 60 minutes on average, and 1.5% were cancelled. The risk is high, 57 of 100. Compared with an average flight, the delay record adds 12.0 points and the cancellation record takes away 1.2 points. The weather is not known yet. Congestion is high at New York and moderate at Los Angeles. Delays are about as likely as on an average day. Confidence in the record is 95.2%.',
  },
  ...WATCH_EXAMPLES,
  model: MODEL_EXAMPLE,
  record: RECORD_EXAMPLE,
  coverage: COVERAGE_EXAMPLE,
  ...KEY_EXAMPLES,
  health: {
    status: 'degraded',
    time: '2026-03-10T14:00:00.000Z',
    components: {
      api: 'ok',
      database: 'ok',
      keys: 'ok',
      ml_model: 'unavailable',
      weather: 'ok',
      news: 'ok',
      history: 'ok',
      operations: 'ok',
    },
    history: { flights_until: '2025-04', levels_until: '2025-12' },
    weather: { fetched_at: '2026-03-10T13:00:00.000Z' },
    news: { fetched_at: '2026-03-10T13:30:00.000Z' },
  },
} satisfies {
  score: ScoreBody;
  batch: BatchBody;
  calendar: CalendarBody;
  airlines: AirlinesBody;
  news: NewsBody;
  explain: ExplainBody;
  record: RecordBody;
  coverage: CoverageBody;
  model: ModelBody;
  health: HealthBody;
};
