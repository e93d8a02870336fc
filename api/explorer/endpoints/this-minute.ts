import { createMinuteMemo } from '../../live/minute-memo.ts';
import { createMemo, type Memo } from '../../scoring/memo.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import type { ApiDeps } from '../../deps.ts';

/** Answers that are kept: hours of a day or days of a month, at most 4 kB each. */
const KEPT = 2_000;

/** The answers of the minute under way. */
type Minute = () => Memo<unknown>;

const minutes = new WeakMap<ApiDeps, Minute>();

/**
 * What several questions to a store share: who looks at another hour of a flight sees the same 24 hours, and who looks at another
 * day the same months. Kept for the minute it was made in, and as long as forecasts and news are the same.
 */
export function thisMinute<Answer>(
  question: readonly (string | number | undefined)[],
  { store, deps }: { store: ScoreStore; deps: ApiDeps },
  make: () => Promise<Answer>,
): Promise<Answer> {
  const minute = minutes.get(deps) ?? answersByMinute(deps);
  minutes.set(deps, minute);
  const known = [store.manifest.version, deps.forecastsAt()];
  return minute()(JSON.stringify([...known, ...question]), make) as Promise<Answer>;
}

function answersByMinute({ now, newsKnown }: ApiDeps): Minute {
  const memo = createMinuteMemo<Memo<unknown>>(now, newsKnown);
  return () => memo('', () => createMemo(KEPT, () => 1));
}
