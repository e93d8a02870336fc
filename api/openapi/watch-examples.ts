import type {
  CreateWatchBody,
  DeleteWatchBody,
  WatchBody,
  WatchEntry,
  WatchesBody,
} from '../schemas/watches.ts';

/** Id of the watch in the examples. */
export const WATCH_ID = 'watch_5f0c1d2e3a4b5c6d';

const WATCH: WatchEntry = {
  id: WATCH_ID,
  input: { origin: 'JFK', destination: 'LAX', airline: 'AA', flight_date: '2026-03-20' },
  url: 'https://hooks.example/flights',
  points: 15,
  band: true,
  created_at: '2026-03-10T14:00:00.000Z',
  score: 57,
  label: 'High',
  scored_at: '2026-03-10T14:00:00.000Z',
  pending: 0,
};

/** Example responses of the endpoints of watches. */
export const WATCH_EXAMPLES = {
  createWatch: {
    watch: WATCH,
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  } satisfies CreateWatchBody,
  watches: { watches: [WATCH], next_cursor: null, limit: 1000 } satisfies WatchesBody,
  watch: {
    watch: WATCH,
    deliveries: [
      {
        id: 'msg_0d9b7f3e5a1c48e2b6f0a7c3d4e5f601',
        at: '2026-03-11T06:10:20.000Z',
        outcome: 'delivered',
        reason: null,
      },
      {
        id: 'msg_0d9b7f3e5a1c48e2b6f0a7c3d4e5f601',
        at: '2026-03-11T06:10:11.000Z',
        outcome: 'failed',
        reason: 'the receiver answered 503',
      },
    ],
  } satisfies WatchBody,
  deleteWatch: { id: WATCH_ID, deleted: true } satisfies DeleteWatchBody,
};
