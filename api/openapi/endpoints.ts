import { airlinesBody, airlinesParams } from '../schemas/airlines.ts';
import { alternativesBody, alternativesParams } from '../schemas/alternatives.ts';
import { batchBody, batchParams } from '../schemas/batch.ts';
import { calendarBody, calendarParams } from '../schemas/calendar.ts';
import { explainBody } from '../schemas/explain.ts';
import { healthBody } from '../schemas/health.ts';
import { itineraryBody, itineraryParams } from '../schemas/itinerary.ts';
import {
  createKeyBody,
  createKeyParams,
  usageBody,
  usageParams,
  validateKeyBody,
} from '../schemas/keys.ts';
import { modelBody } from '../schemas/model.ts';
import { newsBody, newsParams } from '../schemas/news.ts';
import { coverageBody, coverageParams } from '../schemas/coverage.ts';
import { recordBody, recordParams } from '../schemas/record.ts';
import { flightParams, scoreBody, scoreParams } from '../schemas/score.ts';
import type { Endpoint } from './endpoint.ts';
import { EXAMPLES } from './examples.ts';
import { WATCH_ENDPOINTS } from './watch-endpoints.ts';

/** Every endpoint under `/api/`, in the order of docs/api.md. */
export const ENDPOINTS: Endpoint[] = [
  {
    path: '/api/score',
    tag: 'Scores',
    summary: 'The delay risk of one flight',
    description: 'A flight is delayed if it arrives more than 30 minutes late. Costs one call.',
    params: scoreParams,
    answer: { name: 'Score', schema: scoreBody, example: EXAMPLES.score },
    key: 'any',
    refusals: [404],
    hasStoreVersion: true,
    isCacheable: true,
  },
  {
    path: '/api/score/batch',
    tag: 'Scores',
    summary: 'Up to 50 flights in one call',
    description:
      'Scores all flights with one version of the history. A flight that cannot be scored has `error` instead of `result`. ' +
      'Costs one call per flight.',
    params: batchParams,
    answer: { name: 'Batch', schema: batchBody, example: EXAMPLES.batch },
    key: 'any',
    hasStoreVersion: true,
    isCacheable: true,
  },
  {
    path: '/api/calendar',
    tag: 'Scores',
    summary: 'One flight on every day of a month',
    description: 'Days that cannot be scored have null values. Costs one call.',
    params: calendarParams,
    answer: { name: 'Calendar', schema: calendarBody, example: EXAMPLES.calendar },
    key: 'any',
    refusals: [404],
    hasStoreVersion: true,
    isCacheable: true,
  },
  {
    path: '/api/alternatives',
    tag: 'Scores',
    summary: 'Flights between the same cities with a lower risk',
    description:
      'Compares other hours, airlines, nearby days and other airports of the same cities. ' +
      'Costs one call per ten rows of `limit`.',
    params: alternativesParams,
    answer: { name: 'Alternatives', schema: alternativesBody, example: EXAMPLES.alternatives },
    key: 'any',
    refusals: [404],
    hasStoreVersion: true,
    isCacheable: true,
  },
  {
    path: '/api/itinerary',
    tag: 'Scores',
    summary: 'The risk of missed connections on a trip',
    description:
      'Scores each flight and forecasts missed connections and the delay at the end. Costs one call per flight.',
    params: itineraryParams,
    answer: { name: 'Itinerary', schema: itineraryBody, example: EXAMPLES.itinerary },
    key: 'any',
    refusals: [404],
    hasStoreVersion: true,
    isCacheable: true,
  },
  {
    path: '/api/airlines',
    tag: 'Scores',
    summary: 'The airlines of a route, lowest risk first',
    description: 'Scores each airline for a departure today at the origin. Costs one call.',
    params: airlinesParams,
    answer: { name: 'Airlines', schema: airlinesBody, example: EXAMPLES.airlines },
    key: 'any',
    refusals: [404],
    hasStoreVersion: true,
    isCacheable: true,
  },
  {
    path: '/api/news',
    tag: 'News',
    summary: 'News that may disrupt flights on a route',
    description: 'Returns only items that affect flights, cached for 6 hours. Costs one call.',
    params: newsParams,
    answer: { name: 'News', schema: newsBody, example: EXAMPLES.news },
    key: 'any',
    refusals: [404],
    isCacheable: true,
  },
  {
    path: '/api/explain',
    tag: 'Scores',
    summary: 'The score of a flight in words',
    description: 'Explains record, weather, congestion and season of a flight. Costs one call.',
    isAnnounced: true,
    params: flightParams,
    answer: { name: 'Explanation', schema: explainBody, example: EXAMPLES.explain },
    key: 'any',
    refusals: [404, 501],
    hasStoreVersion: true,
  },
  ...WATCH_ENDPOINTS,
  {
    path: '/api/model',
    tag: 'Service',
    summary: 'The model in use and its accuracy',
    description:
      'Describes the training data and the accuracy on unseen months. Events in force are not included. Free.',
    answer: { name: 'Model', schema: modelBody, example: EXAMPLES.model },
    key: 'any',
    isFree: true,
    refusals: [404],
    hasStoreVersion: true,
  },
  {
    path: '/api/record',
    refusals: [429],
    tag: 'Service',
    summary: 'Past forecasts compared with the actual flights',
    description:
      'Needs no key. Every night, forecasts are frozen for flights 1, 7, 30 and 90 days ahead. They are compared with the actual flights when the records of their month arrive. ' +
      'Replayed forecasts of earlier months are labelled. Free.',
    params: recordParams,
    answer: { name: 'ForecastRecord', schema: recordBody, example: EXAMPLES.record },
    key: 'none',
  },
  {
    path: '/api/coverage',
    tag: 'Service',
    summary: 'The flight records behind the scores',
    description:
      'Needs no key. Lists provider, terms, months and age of each record, with its largest routes and airlines. Free.',
    params: coverageParams,
    answer: { name: 'Coverage', schema: coverageBody, example: EXAMPLES.coverage },
    key: 'none',
    refusals: [429, 503],
  },
  {
    path: '/api/keys/validate',
    tag: 'Keys',
    summary: 'State of a key and its use this month',
    description: 'An unknown or inactive key gets 401 with `valid: false`. Free.',
    answer: { name: 'ValidKey', schema: validateKeyBody, example: EXAMPLES.validateKey },
    key: 'any',
    isFree: true,
  },
  {
    path: '/api/keys/usage',
    tag: 'Keys',
    summary: 'Use of a key this month and in finished months',
    description:
      'The history has at most 24 months, newest first, including months without calls. Free.',
    params: usageParams,
    answer: { name: 'KeyUsage', schema: usageBody, example: EXAMPLES.keyUsage },
    key: 'any',
    isFree: true,
  },
  {
    path: '/api/keys/create',
    tag: 'Keys',
    summary: 'Create a key',
    description: 'Requires an admin key, as `api_key` or in the header `X-Admin-Key`. Free.',
    params: createKeyParams,
    answer: { name: 'CreatedKey', schema: createKeyBody, example: EXAMPLES.createKey },
    key: 'admin',
    isFree: true,
  },
  {
    path: '/api/health',
    tag: 'Service',
    summary: 'State of the service',
    description:
      'Needs no key. Returns 503 with the same body if calls with a key cannot be answered. Free.',
    answer: { name: 'Health', schema: healthBody, example: EXAMPLES.health },
    key: 'none',
    isProbe: true,
  },
];

/** Paths of the endpoints that require a key. */
export const KEYED_PATHS = [
  ...new Set(ENDPOINTS.filter(({ key }) => key !== 'none').map(({ path }) => routePath(path))),
];

/** Converts a path to the router's form: `/api/watches/{id}` becomes `/api/watches/:id`. */
export function routePath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}
