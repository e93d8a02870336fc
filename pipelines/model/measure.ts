import { daysBetween, monthOf } from '../../warehouse/ground/dates.ts';
import { reliabilityBins, type Bin, type Figures } from '../../models/evaluate/metrics.ts';
import { rankingOf, type RankPoint } from '../../models/evaluate/ranking.ts';
import type { Outcome } from '../../warehouse/build/as-of.ts';
import type { BandRow, ScoreReliability } from '../../models/score-reliability.ts';
import { bandsOf } from './bands.ts';
import {
  casesOf,
  groupFigures,
  methodFigures,
  probabilityCasesOf,
  type ByGroup,
  type Curves,
} from './cases.ts';
import type { DistributionFigures } from '../../models/distribution-figures.ts';
import { distributionFigures } from './distribution.ts';
import { HOURS, type Forecasts, type Hours, type ForecastSource } from './forecasts.ts';
import { ranksOf, type RankRow } from './ranks.ts';
import type { ScoredOutcome } from './score-outcomes.ts';
import { scoreReliability } from './score-reliability.ts';
import { switchOffEffect, type SwitchOffEffect } from './switched-off.ts';
import { tiersOf, type TierRow } from './tiers.ts';

/** Data for the plots of calibration and ranking. */
export type Plots = { reliability: Bin[]; ranking: RankPoint[] };

/** `reference` is XGBoost with default settings, trained on the same rows as our trees. */
type ByMethod<T> = Record<ForecastSource | 'reference', Record<Hours, T>>;

/**
 * `linear` and `blend` are scores. Their AUC is computed from the score, and their other figures from the probability.
 */
export type Measurements = ByMethod<Figures> & {
  /** Outcomes by band of the blended score (statistics and model). */
  bands: Record<Hours, BandRow[]>;
  /** Outcomes by blended score and confidence, for forecasts with the hour. */
  score: ScoreReliability;
  /** Quality of the ranking of hours of airline-routes, for forecasts with the hour. */
  ranks: RankRow[];
  /** Accuracy of the forecast delays, cancellations and payouts, for forecasts with the hour. */
  distribution: DistributionFigures;
  /** Change of the scores when the model is switched off, for forecasts with the hour. */
  switchedOff: SwitchOffEffect;
  /** Shares of the tiers of answers by airline, for forecasts with the hour. */
  tiers: TierRow[];
  /** Figures by month, tier, airline, and days from the forecast to the flight, for forecasts with the hour. */
  by: Record<'month' | 'tier' | 'airline' | 'horizon', ByGroup>;
  plots: ByMethod<Plots>;
};

export type MeasureInput = {
  /** The days from which forecasts were made, ascending. */
  origins: string[];
  /** Share of delayed flights before the cut; skill is measured against this rate. */
  baseRate: number;
  scored: Forecasts;
  /** Forecasts of the same flights by XGBoost with default settings. */
  plain: Forecasts;
  curves: Curves;
};

/** Computes all figures of a backtest. Each method needs both delayed and other flights. */
export function measure({ origins, baseRate, scored, plain, curves }: MeasureInput): Measurements {
  const forEachMethod = <T>(
    compute: (rows: ScoredOutcome[], method: ForecastSource, hours: Hours) => T,
  ): ByMethod<T> => ({
    linear: byHours((hours) => compute(scored[hours], 'linear', hours)),
    ml: byHours((hours) => compute(scored[hours], 'ml', hours)),
    blend: byHours((hours) => compute(scored[hours], 'blend', hours)),
    reference: byHours((hours) => compute(plain[hours], 'ml', hours)),
    rate: byHours((hours) => compute(scored[hours], 'rate', hours)),
  });
  const figures = (rows: ScoredOutcome[], method: ForecastSource, hours: Hours) =>
    methodFigures(rows, method, { curves: curves[hours], baseRate });
  const figuresBy = (keyOf: (row: ScoredOutcome) => string) =>
    groupFigures(scored.with_dep_time, keyOf, (rows, method) =>
      figures(rows, method, 'with_dep_time'),
    );
  return {
    ...forEachMethod(figures),
    bands: byHours((hours) => bandsOf(scored[hours])),
    score: scoreReliability(scored.with_dep_time),
    ranks: ranksOf(scored.with_dep_time),
    distribution: distributionFigures(scored.with_dep_time),
    switchedOff: switchOffEffect(scored.with_dep_time),
    tiers: tiersOf(scored.with_dep_time),
    by: {
      month: figuresBy(({ outcome }) => monthOf(outcome.flight_date)),
      tier: figuresBy(({ tier }) => tier),
      airline: figuresBy(({ outcome }) => outcome.carrier),
      horizon: figuresBy(({ outcome }) => horizonOf(outcome, origins)),
    },
    plots: forEachMethod((rows, method, hours) => ({
      reliability: reliabilityBins(probabilityCasesOf(rows, method, curves[hours])).map(
        roundValues,
      ),
      ranking: rankingOf(casesOf(rows, method)).map(roundValues),
    })),
  };
}

/** Returns the number of days from the forecast to the flight as a range, for example `7-29 days`. */
function horizonOf({ flight_date }: Outcome, origins: string[]): string {
  const origin = origins.findLast((day) => day <= flight_date) ?? '';
  const days = daysBetween(origin, flight_date);
  if (days < 7) return '0-6 days';
  if (days < 30) return '7-29 days';
  if (days < 90) return '30-89 days';
  return '90+ days';
}

function byHours<T>(compute: (hours: Hours) => T): Record<Hours, T> {
  return Object.fromEntries(HOURS.map((hours) => [hours, compute(hours)])) as Record<Hours, T>;
}

/** Rounds to five digits, which are enough for drawing. */
function roundValues<T extends Record<string, number>>(point: T): T {
  const entries = Object.entries(point).map(([key, value]) => [key, Math.round(value * 1e5) / 1e5]);
  return Object.fromEntries(entries) as T;
}
