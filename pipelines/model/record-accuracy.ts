import type { AccuracyFigures, RecordAccuracy } from '../../models/record-accuracy.ts';
import type { Outcome } from '../../warehouse/build/as-of.ts';
import { HistoryMissingError } from '../../warehouse/errors.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { NothingToMeasureError } from '../errors.ts';
import {
  compareWithRates,
  tryProvider,
  type ProviderFigures,
  type ProviderTrial,
} from './provider-trial.ts';
import { holdOutMonths, MIN_BLOCKS, MIN_FLIGHTS, MIN_MONTHS } from './trial.ts';

/**
 * A month (`YYYY-MM`) of a record, and the first day of its flights. If a record has only the sums of a whole year,
 * `month` is the December of this year.
 */
export type RecordMonth = { month: string; from: string };

export type RecordAccuracyDeps = {
  outcomesOf: (month: string) => Promise<Outcome[]>;
  /** Returns the store of the record as it would have been on a day (`YYYY-MM-DD`). */
  storeAsOf: (day: string) => Promise<ScoreStore>;
};

/** Number of months that must remain as history. Records of other providers are often short. */
const MIN_HISTORY_MONTHS = 1;

/**
 * Forecasts the newest months of a provider's record from the months before, and decides whether the forecasts are
 * better than simple ones. The newest months are selected as in a rehearsal of the model, until they have enough
 * flights.
 */
export async function measureRecord(
  provider: string,
  months: readonly RecordMonth[],
  { outcomesOf, storeAsOf }: RecordAccuracyDeps,
): Promise<RecordAccuracy> {
  const names = months.map(({ month }) => month);
  const isShort = names.length < MIN_MONTHS;
  const heldOut = await holdOutMonths(
    names,
    // A single month is enough if it has enough flights, because a short record needs its other months as history.
    isShort ? names : [],
    outcomesOf,
    MIN_FLIGHTS,
    MIN_HISTORY_MONTHS,
  );
  const first = months.find(({ month }) => month === heldOut.months[0]);
  if (!first) {
    return { state: 'unmeasured', why: 'the record has no earlier month to forecast from' };
  }
  try {
    const store = await storeAsOf(first.from);
    const { outcomes, months: testedOn } = heldOut;
    return judgeTrial(tryProvider({ provider, store, rateStore: store, outcomes, testedOn }));
  } catch (error) {
    const isExpected =
      error instanceof NothingToMeasureError || error instanceof HistoryMissingError;
    if (!isExpected) throw error;
    return { state: 'unmeasured', why: error.message };
  }
}

/**
 * Decides by the rules for our own models: the forecasts must beat a constant forecast of the earlier delay rate. They
 * must also not be worse than the former rates of the airline-routes by more than the noise.
 */
export function judgeTrial(trial: ProviderTrial): RecordAccuracy {
  const { trainedOn, testedOn, measured: share, figures, score } = trial;
  const withHour = figures.with_dep_time;
  return {
    ...verdictOn(withHour),
    measured: {
      trainedOn: { first: trainedOn.at(0) ?? '', last: trainedOn.at(-1) ?? '' },
      ...{ testedOn, share, score },
      withHour: accuracyFigures(withHour),
      withoutHour: accuracyFigures(figures.without_dep_time),
    },
  };
}

function verdictOn({ n, skill, paired }: ProviderFigures): Pick<RecordAccuracy, 'state' | 'why'> {
  if (n < MIN_FLIGHTS || paired.clusters < MIN_BLOCKS) {
    const why = `${n.toLocaleString('en')} flights in ${paired.clusters} days or airport-months are too few to decide (${MIN_FLIGHTS.toLocaleString('en')} and ${MIN_BLOCKS} are needed)`;
    return { state: 'unmeasured', why };
  }
  if (!(skill > 0)) {
    return {
      state: 'failed',
      why: `the scores are no better than always forecasting the earlier delay rate (skill ${skill.toFixed(4)})`,
    };
  }
  const { difference, noise } = paired.logLoss;
  if (compareWithRates(paired) === 'worse') {
    return {
      state: 'failed',
      why: `the log loss of the scores is worse than that of the earlier rates of each airline on each route, by ${difference.toFixed(5)}; this is more than the noise (standard error ${noise.toFixed(5)})`,
    };
  }
  return {
    state: 'passed',
    why: `the scores are better than always forecasting the earlier delay rate (skill ${skill.toFixed(4)}), and their log loss is not worse than that of the earlier rates of each airline on each route`,
  };
}

function accuracyFigures({ paired, ...figures }: ProviderFigures): AccuracyFigures {
  const { n, forecast, observed, auc, logLoss, brier, skill, ece } = figures;
  const { difference, noise } = paired.logLoss;
  return {
    ...{ n, forecast, observed, auc, logLoss, brier, skill, ece },
    overRates: { difference, error: Number.isNaN(noise) ? null : noise },
  };
}
