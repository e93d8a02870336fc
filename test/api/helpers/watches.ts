import type { ListedWatch, WatchRegistry } from '../../../api/live/watch-registry.ts';
import { WATCH_ID } from '../../../api/openapi/watch-examples.ts';

/** Creates a registry that accepts every watch. The registry contains the watch of the OpenAPI examples. */
export function fakeWatches(): WatchRegistry {
  const listed: ListedWatch = {
    watch: {
      id: WATCH_ID,
      keyHash: '01',
      account: '01',
      flight: { origin: 'JFK', dest: 'LAX', airline: 'AA', date: '2026-03-20' },
      url: 'https://hooks.example/flights',
      points: 15,
      hasBand: true,
      createdAt: '2026-03-10T14:00:00.000Z',
    },
    known: { score: 57, label: 'High', at: '2026-03-10T14:00:00.000Z' },
    pending: 0,
  };
  return {
    limit: 1_000,
    create: async (_apiKey, watch, score) => ({
      ...listed,
      watch: { ...listed.watch, ...watch },
      known: await score(),
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    }),
    list: async () => ({ listed: [listed], end: undefined }),
    find: async (_apiKey, id) => (id === WATCH_ID ? { listed, attempts: [] } : undefined),
    remove: async (_apiKey, id) => id === WATCH_ID,
  };
}
