import { randomUUID } from 'node:crypto';
import { addWatches } from '../watches/add-watches.ts';
import { recordChanges } from '../../warehouse/live/watch-messages.ts';
import { removeWatch, scanWatches } from '../../warehouse/live/watches.ts';
import type { Harm, World } from './harm.ts';

/** Number of watches; more than the alert needs. */
const WATCHES = 25;
/** The worker sends nothing to this address, because it is an address of its own machine. Every delivery fails. */
const FORBIDDEN_URL = 'http://127.0.0.1:9/';
/** Closed port of this machine. The worker must deliver messages, so it cannot run with OFFLINE=1. */
const NOWHERE = 'http://127.0.0.1:9';
const ONLINE = {
  OFFLINE: '0',
  NEWS_FEEDS: '',
  BTS_BASE_URL: NOWHERE,
  NAS_STATUS_URL: NOWHERE,
  WEATHER_FORECAST_URL: NOWHERE,
  WEATHER_ARCHIVE_URL: NOWHERE,
};

/** Returns the harm of watches whose receiver gets no message. */
export function failingWatches({ service, flight }: World): Harm {
  const { redis } = service;
  const { origin, dest, carrier: airline } = flight;
  const now = new Date();
  const date = new Date(now.getTime() + 7 * 86_400_000).toISOString().slice(0, 10);
  const known = { score: 0, label: 'Low', at: now.toISOString() };
  const watched = { flight: { origin, dest, airline, date }, known };
  const restartWorker = async (settings?: Record<string, string>) => {
    await service.signal('worker', 'SIGKILL');
    service.start('worker', settings);
  };
  return {
    start: async () => {
      const watches = Array.from({ length: WATCHES }, () => watched);
      const ids = await addWatches(redis, watches, { url: FORBIDDEN_URL, now });
      const current = { ...known, score: 100, label: 'Critical' };
      const changes = ids.map((id) => ({
        watch: { id },
        ...{ known, current },
        message: { id: randomUUID(), at: known.at, type: 'score.changed', data: {} },
      }));
      await recordChanges(redis, changes);
      await restartWorker(ONLINE);
    },
    repair: async () => {
      for await (const batch of scanWatches(redis)) {
        for (const watch of batch) await removeWatch(redis, watch);
      }
    },
    cleanUp: () => restartWorker(),
  };
}
