import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { RequestError } from '../errors.ts';
import { watchForecasts } from '../live/forecast-watch.ts';
import { createLiveInputs } from '../live/live-inputs.ts';
import { openLiveNews } from '../live/live-news.ts';
import { connectRedis } from '../redis.ts';
import { assessNow, createAssess } from '../scoring/assess.ts';
import { resolveFlight } from '../scoring/flight-query.ts';
import { createStoreModels } from '../scoring/store-models.ts';
import { watchStores } from '../scoring/store-watch.ts';
import { assembleRows } from '../../models/assemble.ts';
import type { Retention } from '../../warehouse/ground/retention.ts';
import type { CurrentScore, WatchedFlight } from '../../warehouse/live/watches.ts';
import type { ScoredFlight } from '../../models/flight-curve.ts';
import { asOperator } from '../../models/brands.ts';
import type { FlightQuery } from '../../models/types.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';

/** Computes the same scores as the API, in a process that is not the API. */
export type LiveScores = {
  /** Returns the score of a flight; undefined if the flight cannot be scored, for example because it has departed. */
  score: (flight: WatchedFlight) => Promise<CurrentScore | undefined>;
  /**
   * Returns the full assessment of the flights that the airline operates itself, without those of its partners.
   * Undefined if the flight cannot be scored.
   */
  assessOperated: (flight: WatchedFlight) => Promise<ScoredFlight | undefined>;
  /** Returns the current store; undefined before the first publish. */
  store: () => ScoreStore | undefined;
  /** Returns the data that scores depend on. While these objects stay the same, scores change only with time. */
  dataParts: () => readonly unknown[];
  close: () => Promise<void>;
};

export type LiveScoreDeps = {
  redis: Redis;
  redisUrl: string;
  dataDir: string;
  retention?: Retention | undefined;
  modelDeadlineMs: number;
  now: () => Date;
  log: Logger;
};

/** Maximum time for the first read of store, forecasts and news. */
const READY_MS = 30_000;

/**
 * Opens the same parts as the API, and waits until all parts are read. A score without forecasts would look like a
 * changed score.
 */
export async function openLiveScores(deps: LiveScoreDeps): Promise<LiveScores> {
  const { redis, redisUrl, dataDir, retention, modelDeadlineMs, now, log } = deps;
  const connect = () => connectRedis(redisUrl);
  const models = createStoreModels(log, { deadlineMs: modelDeadlineMs, now });
  const storeDir = join(dataDir, 'store');
  const stores = await watchStores({ connect, storeDir, models, retention, log });
  const news = openLiveNews({ redis, connect, stores, now, log });
  const live = watchForecasts({ connect, log });
  const close = async () => {
    for (const part of [stores, news, live, models]) await part.close();
  };
  const scoring = {
    assess: createAssess({ models, assemble: assembleRows, log }),
    liveInputs: createLiveInputs({ live, danger: news.danger, now }),
  };
  const isReady = await Promise.race([
    Promise.all([stores.ready, news.ready, live.ready]).then(() => true),
    sleep(READY_MS, false, { ref: false }),
  ]);
  if (!isReady) {
    await close();
    throw new Error(`store, forecasts and news were not read within ${READY_MS / 1_000} s`);
  }
  const assess = async (
    flight: WatchedFlight,
    toQuery: (query: FlightQuery) => FlightQuery,
  ): Promise<ScoredFlight | undefined> => {
    const whole = stores.current();
    if (!whole) return undefined;
    try {
      const { store, ...resolved } = resolveFlight(flight, whole, now());
      const query = toQuery(resolved.query);
      const assessment = await models.complete(() => assessNow(query, store, scoring));
      return { query, assessment, store };
    } catch (error) {
      if (error instanceof RequestError) return undefined;
      throw error;
    }
  };
  return {
    score: async (flight) => {
      const scored = await assess(flight, (query) => query);
      if (!scored) return undefined;
      const { score, label } = scored.assessment;
      return { score, label, storeVersion: scored.store.manifest.version };
    },
    assessOperated: (flight) => assess(flight, asOperator),
    store: stores.current,
    dataParts: () => [stores.current(), live.savedAt(), news.snapshot()],
    close,
  };
}
