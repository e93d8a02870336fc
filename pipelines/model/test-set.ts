import { sum } from '../../warehouse/ground/numbers.ts';
import { dataTier } from '../../models/history.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { Outcome } from '../../warehouse/build/as-of.ts';
import type { ReleasedModel, RehearsalDeps, TestSet } from './rehearsal.ts';
import { refuseTooFew, type Verdict } from './release-verdict.ts';
import { holdOutMonths, MIN_FLIGHTS } from './trial.ts';

export type TestSetDeps = Pick<RehearsalDeps, 'knowledgeAsOf' | 'openStore'> & {
  /** The flights of a month (`YYYY-MM`). */
  outcomesOf: (month: string) => Promise<Outcome[]>;
};

/**
 * Selects the newest months of flights, and the data known before these months, to judge models trained elsewhere. Adds
 * earlier months while too few flights are on routes with earlier history. Returns the refusal if the history is too
 * short.
 */
export async function findTestSet(
  months: string[],
  released: Pick<ReleasedModel, 'trainedOn'> | undefined,
  deps: TestSetDeps,
): Promise<TestSet | { refusal: Verdict }> {
  const trainedMonths = released?.trainedOn.months ?? [];
  let testSet: TestSet | undefined;
  for (let minFlights = MIN_FLIGHTS; ;) {
    const heldOut = await holdOutMonths(months, trainedMonths, deps.outcomesOf, minFlights);
    if (testSet && heldOut.flights < minFlights) return testSet;
    const refusal = refuseTooFew(heldOut);
    if (refusal) return { refusal };
    const knowledge = await deps.knowledgeAsOf(`${heldOut.months[0]}-01`);
    testSet = { months: heldOut.months, outcomes: heldOut.outcomes, knowledge };
    const store = deps.openStore(knowledge.store);
    const forecast = heldOut.outcomes.filter((outcome) => hasForecast(outcome, store));
    if (sum(forecast.map(({ completed_count }) => completed_count)) >= MIN_FLIGHTS) return testSet;
    minFlights = heldOut.flights + 1;
  }
}

/** Whether the model can forecast the flights: both airports are known, and the route has history. */
export function hasForecast(outcome: Outcome, store: ScoreStore): boolean {
  const { origin, dest } = outcome;
  const isKnown = store.airport(origin) !== undefined && store.airport(dest) !== undefined;
  return isKnown && dataTier(outcome, store) !== 'no_data';
}
