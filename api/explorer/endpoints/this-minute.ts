import { createMemo, type Memo } from '../../scoring/memo.ts';
import { currentStore } from '../../scoring/current-store.ts';
import type { ApiDeps } from '../../deps.ts';

/** Answers that are kept: hours of a day or days of a month, at most 4 kB each. */
const KEPT = 2_000;

const memos = new WeakMap<ApiDeps, Memo<unknown>>();

/**
 * What several questions share: who looks at another hour of a flight sees the same 24 hours, and who looks at another day the
 * same months. Kept for the minute it was made in, and as long as store, forecasts and news are the same.
 */
export function thisMinute<Answer>(
  question: readonly (string | number | undefined)[],
  deps: ApiDeps,
  make: () => Promise<Answer>,
): Promise<Answer> {
  const memo = memos.get(deps) ?? createMemo<unknown>(KEPT, () => 1);
  memos.set(deps, memo);
  const { version } = currentStore(deps.stores).manifest;
  const minute = Math.floor(deps.now().getTime() / 60_000);
  const known = [version, minute, deps.forecastsAt(), deps.newsAt(), deps.airportStatusAt()];
  return memo(JSON.stringify([...known, ...question]), make) as Promise<Answer>;
}
