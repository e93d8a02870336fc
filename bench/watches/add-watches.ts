import type { Redis } from 'ioredis';
import { hashKey } from '../../warehouse/keyring/format.ts';
import { createKeystore } from '../../warehouse/keyring/keystore.ts';
import {
  addWatch,
  createSecret,
  createWatchId,
  type NotifiedScore,
  type Watch,
  type WatchedFlight,
} from '../../warehouse/live/watches.ts';

/** The smallest change of a score that the watches report. */
export const NOTABLE = { points: 5, hasBand: false };

/** A flight to watch, and its current score. */
export type FlightToWatch = { flight: WatchedFlight; known: NotifiedScore };

/** Adds a watch of each flight for a new account. Returns the ids of the watches in the same order. */
export async function addWatches(
  redis: Redis,
  flights: readonly FlightToWatch[],
  { url, now }: { url: string; now: Date },
): Promise<string[]> {
  const owner = { name: 'storm', email: 'storm@headwind.example', monthlyLimit: 10_000_000 };
  const { apiKey } = await createKeystore(redis, { deadlineMs: 60_000 }).create(owner, 'live', now);
  const keyHash = hashKey(apiKey);
  const secret = createSecret();
  return Promise.all(
    flights.map(async ({ flight, known }) => {
      const watch: Watch = {
        ...{ id: createWatchId(), keyHash, account: keyHash, flight, url },
        ...{ ...NOTABLE, createdAt: now.toISOString() },
      };
      await addWatch(redis, watch, { known, secret, limit: flights.length });
      return watch.id;
    }),
  );
}
