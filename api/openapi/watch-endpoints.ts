import {
  createWatchBody,
  createWatchParams,
  deleteWatchBody,
  watchBody,
  watchesBody,
  watchesParams,
} from '../schemas/watches.ts';
import type { Endpoint } from './endpoint.ts';
import { WATCH_EXAMPLES } from './watch-examples.ts';

/** The endpoints of watches. */
export const WATCH_ENDPOINTS: Endpoint[] = [
  {
    method: 'post',
    path: '/api/watches',
    id: 'createWatch',
    tag: 'Watches',
    summary: 'Watch a flight',
    description:
      'Sends a signed message to `url` whenever the score of the flight changes notably. `url` must first echo a ' +
      'challenge. Costs one call, and one more for each message that is accepted.',
    params: createWatchParams,
    answer: {
      name: 'CreatedWatch',
      schema: createWatchBody,
      example: WATCH_EXAMPLES.createWatch,
    },
    key: 'any',
    refusals: [403, 404, 501],
  },
  {
    path: '/api/watches',
    id: 'watches',
    tag: 'Watches',
    summary: 'The watches of an account',
    description:
      'All keys of an account share its watches. `limit` and `cursor` request them in pages. Free.',
    params: watchesParams,
    answer: { name: 'Watches', schema: watchesBody, example: WATCH_EXAMPLES.watches },
    key: 'any',
    isFree: true,
  },
  {
    path: '/api/watches/{id}',
    id: 'watch',
    tag: 'Watches',
    summary: 'A watch and its deliveries',
    description: 'Shows each attempt to deliver a message. Free.',
    answer: { name: 'Watch', schema: watchBody, example: WATCH_EXAMPLES.watch },
    key: 'any',
    isFree: true,
    refusals: [404],
  },
  {
    method: 'delete',
    path: '/api/watches/{id}',
    id: 'deleteWatch',
    tag: 'Watches',
    summary: 'Delete a watch',
    description: 'Deletes the watch and its messages. Free.',
    answer: {
      name: 'DeletedWatch',
      schema: deleteWatchBody,
      example: WATCH_EXAMPLES.deleteWatch,
    },
    key: 'any',
    isFree: true,
    refusals: [403, 404],
  },
];
