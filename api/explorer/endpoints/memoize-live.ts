import { createMinuteCache } from '../../live/minute-cache.ts';
import { createAsyncCache, type AsyncCache } from '../../scoring/async-cache.ts';
import { memoizeFor } from '../../../warehouse/ground/load-once.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import type { ApiDeps } from '../../deps.ts';

/**
 * Maximum number of cached answers per store. An answer is about a flight, the hours of a day or the days of a month.
 * It takes about 7 kB of memory.
 */
const MAX_ANSWERS = 2_000;

/**
 * Maximum age of an answer. In every time zone, days begin at a multiple of 15 minutes, so no cached answer outlives
 * its day.
 */
const MAX_AGE_MIN = 15;

type LiveAnswer<Answer> = {
  answer: Answer;
  /** Whether current events affect the answer. The effect of events decreases every minute. */
  hasEvents: boolean;
};

/** `minute`: time of the computation, in minutes since 1970. */
type CachedAnswer = LiveAnswer<unknown> & { minute: number };

/** Returns the cache for the current quarter of an hour. */
type CurrentMemo = () => AsyncCache<CachedAnswer>;

/** The cache key is the store object, not its version, because a store with a repaired model keeps its version. */
const memosOf = memoizeFor((deps: ApiDeps) =>
  memoizeFor((_store: ScoreStore) => createCurrentMemo(deps)),
);

/**
 * Caches an answer that several requests share. For example, the pages of a flight at different hours share the scores
 * of the 24 hours. A cached answer is used while store, forecasts and news stay the same, for at most a quarter of an
 * hour. If events affect the answer, it is used only until the end of the minute. The answer must not contain ages,
 * because they would become wrong.
 */
export async function memoizeLive<Answer>(
  keyParts: readonly (string | number | undefined)[],
  { store, deps }: { store: ScoreStore; deps: ApiDeps },
  make: () => Promise<LiveAnswer<Answer>>,
): Promise<Answer> {
  const minute = Math.floor(deps.now().getTime() / 60_000);
  const key = JSON.stringify([deps.forecastsAt(), ...keyParts]);
  // Wait for the predictions of an imported model before the answer is cached.
  const compute = async () => ({ ...(await deps.models.complete(make)), minute });
  const memo = memosOf(deps)(store)();
  const first = await memo(key, compute);
  const isStillValid = !first.hasEvents || first.minute === minute;
  return (isStillValid ? first : await memo(`${key} ${minute}`, compute)).answer as Answer;
}

function createCurrentMemo({ now, newsSnapshot }: ApiDeps): CurrentMemo {
  const memo = createMinuteCache<AsyncCache<CachedAnswer>>(now, newsSnapshot, MAX_AGE_MIN);
  return () => memo('', () => createAsyncCache(MAX_ANSWERS, () => 1));
}
