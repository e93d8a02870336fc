import { createMinuteMemo } from '../../live/minute-memo.ts';
import { createMemo, type Memo } from '../../scoring/memo.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import type { ApiDeps } from '../../deps.ts';

/** Answers that are kept of a store: flights, hours of a day or days of a month, some 7 kB of memory each. */
const KEPT = 2_000;

/** In every time zone a day begins with one, and no forecast grows too old unnoticed for longer. */
const MINUTES = 15;

/** What is known of a question. */
type Known<Answer> = {
  answer: Answer;
  /** Whether events in force have a part in it, which is less from minute to minute. */
  fades: boolean;
};

/** Made in that minute. */
type Kept = Known<unknown> & { minute: number };

/** The answers of the quarter of an hour under way. */
type Quarter = () => Memo<Kept>;

/** By the store itself: one whose model was mended has the version of the one before. */
const quarters = new WeakMap<ApiDeps, WeakMap<ScoreStore, Quarter>>();

/**
 * What several questions to a store share: who looks at another hour of a flight sees the same 24 hours, and who looks at another
 * day the same months. Kept as long as store, forecasts and news are the same, a quarter of an hour at most, and in which
 * events have a part the minute it was made in. What tells its age is none of it.
 */
export async function whileKnown<Answer>(
  question: readonly (string | number | undefined)[],
  { store, deps }: { store: ScoreStore; deps: ApiDeps },
  make: () => Promise<Known<Answer>>,
): Promise<Answer> {
  const minute = Math.floor(deps.now().getTime() / 60_000);
  const key = JSON.stringify([deps.forecastsAt(), ...question]);
  const made = async () => ({ ...(await make()), minute });
  const memo = answersOf(store, deps);
  const first = await memo(key, made);
  const isStillSo = !first.fades || first.minute === minute;
  return (isStillSo ? first : await memo(`${key} ${minute}`, made)).answer as Answer;
}

function answersOf(store: ScoreStore, deps: ApiDeps): Memo<Kept> {
  const ofStores = quarters.get(deps) ?? new WeakMap<ScoreStore, Quarter>();
  quarters.set(deps, ofStores);
  const quarter = ofStores.get(store) ?? answersByQuarter(deps);
  ofStores.set(store, quarter);
  return quarter();
}

function answersByQuarter({ now, newsKnown }: ApiDeps): Quarter {
  const memo = createMinuteMemo<Memo<Kept>>(now, newsKnown, MINUTES);
  return () => memo('', () => createMemo(KEPT, () => 1));
}
