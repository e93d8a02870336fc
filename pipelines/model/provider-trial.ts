import { aucOf, figuresOf, type Case, type Figures } from '../../models/evaluate/metrics.ts';
import {
  pairedFigures,
  type PairedCase,
  type PairedFigures,
} from '../../models/evaluate/paired.ts';
import type { ScoreReliability } from '../../models/score-reliability.ts';
import type { Outcome } from '../../warehouse/build/as-of.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { sum } from '../../warehouse/ground/numbers.ts';
import { NothingToMeasureError } from '../errors.ts';
import { delayedShare, isMeasurable } from './cases.ts';
import { HOURS, type Hours } from './forecasts.ts';
import { scoreOutcomes, type ScoredOutcome } from './score-outcomes.ts';
import { scoreReliability } from './score-reliability.ts';
import { hasForecast } from './test-set.ts';
import { blocksOf } from './trial.ts';

/**
 * Figures of the forecasts that the statistics make, without a model. For every provider except BTS, answers come from
 * the statistics. AUC is computed from the score, the other figures from P(delayed). `paired` compares P(delayed) with
 * the former rates of the airline-routes.
 */
export type ProviderFigures = Figures & { paired: PairedFigures };

/** Test of a provider's record. The newest flights of the record are forecast from its earlier flights. */
export type ProviderTrial = {
  provider: string;
  /** `YYYY-MM`, ascending. */
  trainedOn: string[];
  testedOn: string[];
  /** Share of delayed flights before the test. Skill is measured against this share. */
  baseRate: number;
  /** Share of the completed flights whose route has earlier flights. Only these flights are measured. */
  measured: number;
  figures: Record<Hours, ProviderFigures>;
  /** Outcomes of the flights by their score, with the hour if it is known. */
  score: ScoreReliability;
};

export type ProviderTrialInput = {
  provider: string;
  /**
   * The store of the day before the test. `rateStore` contains only the period from which the former rates are
   * computed.
   */
  store: ScoreStore;
  rateStore: ScoreStore;
  /** Flights of the test. */
  outcomes: Outcome[];
  testedOn: string[];
};

/**
 * Forecasts the flights of a provider with the statistics, and compares the forecasts with the shrunk rates of the
 * airline-routes. Throws `NothingToMeasureError` if a figure would not be finite.
 */
export function tryProvider(input: ProviderTrialInput): ProviderTrial {
  const { provider, store, rateStore, outcomes, testedOn } = input;
  const forecast = outcomes.filter((one) => hasForecast(one, store) && hasForecast(one, rateStore));
  const known = forecast.filter((one) => one.completed_count > 0);
  if (!isMeasurable(known.map(caseOf(() => 0)))) {
    throw new NothingToMeasureError(
      `${provider}: no comparison is possible. It needs both delayed flights and flights on time, on routes with earlier flights`,
    );
  }
  const baseRate = baseRateOf(store);
  const rates = new Map(
    scoreOutcomes(known, rateStore, undefined, false).map(({ outcome, rate }) => [outcome, rate]),
  );
  const scoredWith = (hours: Hours) =>
    scoreOutcomes(forecast, store, undefined, hours === 'with_dep_time');
  const figuresOfScored = (all: ScoredOutcome[]): ProviderFigures => {
    const scored = all.filter(({ outcome }) => outcome.completed_count > 0);
    return {
      ...figuresOf(scored.map(caseOf(({ late }) => late)), baseRate),
      auc: aucOf(scored.map(caseOf(({ linear }) => linear))),
      paired: pairedFigures(pairWithRates(scored, rates)),
    };
  };
  const scored = {
    with_dep_time: scoredWith('with_dep_time'),
    without_dep_time: scoredWith('without_dep_time'),
  };
  return {
    provider,
    trainedOn: store.manifest.months,
    testedOn,
    baseRate,
    measured: flightsOf(known) / flightsOf(outcomes),
    figures: Object.fromEntries(
      HOURS.map((hours) => [hours, figuresOfScored(scored[hours])]),
    ) as Record<Hours, ProviderFigures>,
    score: scoreReliability(scored.with_dep_time),
  };
}

/** Number of standard errors that decide between better, worse and equal. */
const NOISE_ERRORS = 2;

/**
 * Returns the comparison of the statistics with the former rates: `better` or `worse` by more than two standard errors
 * of the log loss, otherwise `equal`.
 */
export function compareWithRates({ logLoss }: PairedFigures): 'better' | 'equal' | 'worse' {
  const { difference, noise } = logLoss;
  if (!(Math.abs(difference) > NOISE_ERRORS * noise)) return 'equal';
  return difference < 0 ? 'better' : 'worse';
}

function pairWithRates(scored: ScoredOutcome[], rates: Map<Outcome, number>): PairedCase[] {
  const blocks = blocksOf(scored.map(({ outcome }) => outcome));
  return scored.flatMap(({ outcome, late }, at) => {
    const rate = rates.get(outcome);
    if (rate === undefined) return [];
    const { completed_count: flights, delayed_count: delayed } = outcome;
    return { cluster: blocks[at] as string, flights, delayed, ours: late, theirs: rate };
  });
}

function caseOf<T extends Outcome | ScoredOutcome>(forecastOf: (one: T) => number) {
  return (one: T): Case => {
    const { completed_count: flights, delayed_count: delayed } =
      'outcome' in one ? one.outcome : one;
    return { p: forecastOf(one), flights, delayed };
  };
}

/** Returns the delayed share of the completed flights in a record. */
function baseRateOf(store: ScoreStore): number {
  let [completed, delayed] = [0, 0];
  for (const { origin, dest, carrier } of store.airlineRoutes()) {
    const stats = store.routeCarrier(origin, dest, carrier);
    completed += stats?.completedCount ?? 0;
    delayed += stats?.delayedCount ?? 0;
  }
  return delayedShare(delayed, completed, 'before the test');
}

function flightsOf(outcomes: Outcome[]): number {
  return sum(outcomes.map(({ completed_count }) => completed_count));
}
