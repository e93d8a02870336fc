import type { z } from 'zod';
import { airlinesBody, airlinesParams } from '../schemas/airlines.ts';
import { batchBody, batchParams } from '../schemas/batch.ts';
import { calendarBody, calendarParams } from '../schemas/calendar.ts';
import { explainBody } from '../schemas/explain.ts';
import { healthBody } from '../schemas/health.ts';
import {
  createKeyBody,
  createKeyParams,
  usageBody,
  usageParams,
  validateKeyBody,
} from '../schemas/keys.ts';
import { modelBody } from '../schemas/model.ts';
import { newsBody, newsParams } from '../schemas/news.ts';
import { flightParams, scoreBody, scoreParams } from '../schemas/score.ts';
import { EXAMPLES } from './examples.ts';

/** What the document says of one endpoint; all of them are GET. */
export type Endpoint = {
  path: string;
  tag: 'Scores' | 'News' | 'Keys' | 'Service';
  summary: string;
  description: string;
  /** The schema the route reads its parameters with; `api_key` comes on top. */
  params?: z.ZodObject;
  /** Name of the body in the document, and its schema. */
  answer: { name: string; schema: z.ZodType; example: object };
  /** Whose key it takes. */
  key: 'any' | 'admin' | 'none';
  /** Whether its answers cost no call, so that it is never 429. */
  isFree?: true;
  /** The specification announces it; it answers only where it is switched on. */
  isAnnounced?: true;
  /** Answers that are not 200, beyond those every endpoint with such a key has. */
  refusals?: number[];
  /** Whether the answer names the version of the history it rests on. */
  hasStoreVersion?: true;
};

/** Every endpoint under `/api/`, in the order of docs/api.md. */
export const ENDPOINTS: Endpoint[] = [
  {
    path: '/api/score',
    tag: 'Scores',
    summary: 'The delay risk of one flight',
    description: 'Delayed is an arrival more than 30 minutes late. Costs one call.',
    params: scoreParams,
    answer: { name: 'Score', schema: scoreBody, example: EXAMPLES.score },
    key: 'any',
    refusals: [404],
    hasStoreVersion: true,
  },
  {
    path: '/api/score/batch',
    tag: 'Scores',
    summary: 'Up to 50 flights in one call',
    description:
      'Each flight has its score or what is wrong with it, all from one version of the history. ' +
      'Costs as many calls as it names flights.',
    params: batchParams,
    answer: { name: 'Batch', schema: batchBody, example: EXAMPLES.batch },
    key: 'any',
    hasStoreVersion: true,
  },
  {
    path: '/api/calendar',
    tag: 'Scores',
    summary: 'One flight on every day of a month',
    description: 'Days that cannot be scored are there with nulls. Costs one call.',
    params: calendarParams,
    answer: { name: 'Calendar', schema: calendarBody, example: EXAMPLES.calendar },
    key: 'any',
    refusals: [404],
    hasStoreVersion: true,
  },
  {
    path: '/api/airlines',
    tag: 'Scores',
    summary: 'The airlines of a route, lowest risk first',
    description: 'Each is scored for a departure today at the origin. Costs one call.',
    params: airlinesParams,
    answer: { name: 'Airlines', schema: airlinesBody, example: EXAMPLES.airlines },
    key: 'any',
    refusals: [404],
    hasStoreVersion: true,
  },
  {
    path: '/api/news',
    tag: 'News',
    summary: 'What may disrupt flights on a route',
    description: 'Only items that matter to flights, cached for 6 hours. Costs one call.',
    params: newsParams,
    answer: { name: 'News', schema: newsBody, example: EXAMPLES.news },
    key: 'any',
    refusals: [404],
  },
  {
    path: '/api/explain',
    tag: 'Scores',
    summary: 'The score of a flight in words',
    description: 'The record, weather, congestion and season of a flight. Costs one call.',
    isAnnounced: true,
    params: flightParams,
    answer: { name: 'Explanation', schema: explainBody, example: EXAMPLES.explain },
    key: 'any',
    refusals: [404, 501],
    hasStoreVersion: true,
  },
  {
    path: '/api/model',
    tag: 'Service',
    summary: 'The card of the model that scores',
    description:
      'What it was made from, and how good it was on months it had not seen, before what events in force change. Free.',
    answer: { name: 'Model', schema: modelBody, example: EXAMPLES.model },
    key: 'any',
    isFree: true,
    refusals: [404],
    hasStoreVersion: true,
  },
  {
    path: '/api/keys/validate',
    tag: 'Keys',
    summary: 'Whether a key works, and where its month stands',
    description: 'The 401 for a key that is unknown or inactive also has valid: false. Free.',
    answer: { name: 'ValidKey', schema: validateKeyBody, example: EXAMPLES.validateKey },
    key: 'any',
    isFree: true,
  },
  {
    path: '/api/keys/usage',
    tag: 'Keys',
    summary: 'The month under way and the finished ones',
    description: 'History is newest first, 24 months at most, those without calls included. Free.',
    params: usageParams,
    answer: { name: 'KeyUsage', schema: usageBody, example: EXAMPLES.keyUsage },
    key: 'any',
    isFree: true,
  },
  {
    path: '/api/keys/create',
    tag: 'Keys',
    summary: 'Makes a key',
    description: 'For holders of an admin key, which the header X-Admin-Key may carry. Free.',
    params: createKeyParams,
    answer: { name: 'CreatedKey', schema: createKeyBody, example: EXAMPLES.createKey },
    key: 'admin',
    isFree: true,
  },
  {
    path: '/api/health',
    tag: 'Service',
    summary: 'Whether calls with a key can be answered',
    description: 'Needs no key. 503 with the same body when they cannot. Free.',
    answer: { name: 'Health', schema: healthBody, example: EXAMPLES.health },
    key: 'none',
  },
];

/** The paths of those that take a key. */
export const KEYED_PATHS = ENDPOINTS.filter(({ key }) => key !== 'none').map(({ path }) => path);
