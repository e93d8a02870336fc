import { daysBetween, monthOf } from '../../warehouse/ground/dates.ts';
import { reliability, type Bin, type Figures } from '../../models/evaluate/metrics.ts';
import { ranking, type RankPoint } from '../../models/evaluate/ranking.ts';
import type { Outcome } from '../../warehouse/build/as-of.ts';
import type { BandRow, ScoreReliability } from '../../models/score-reliability.ts';
import { bandsOf } from './bands.ts';
import {
  casesOf,
  groupFigures,
  methodFigures,
  probableCasesOf,
  type ByGroup,
  type Curves,
} from './cases.ts';
import { HOURS, type Forecasts, type Hours, type Saying } from './forecasts.ts';
import { ranksOf, type RankRow } from './ranks.ts';
import type { Scored } from './score-outcomes.ts';
import { scoreReliability } from './score-reliability.ts';
import { switchedOff, type SwitchedOff } from './switched-off.ts';
import { tiersOf, type TierRow } from './tiers.ts';

/** How well forecasts are calibrated, and how well they rank. */
export type Plots = { reliability: Bin[]; ranking: RankPoint[] };

/** `reference` is XGBoost as it comes, on the rows our trees learn from. */
type ByMethod<T> = Record<Saying | 'reference', Record<Hours, T>>;

/** `linear` and `blend` are scores: AUC is that of the score itself, the rest that of the probability it is turned into. */
export type Measured = ByMethod<Figures> & {
  /** By the blend's score. */
  bands: Record<Hours, BandRow[]>;
  /** With the hour: by the blend's score and by how far the record is to be trusted. */
  score: ScoreReliability;
  /** With the hour: how well airline-routes' hours are ranked. */
  ranks: RankRow[];
  /** With the hour: what the scores were without the model. */
  switchedOff: SwitchedOff;
  /** With the hour: which tier answered, by airline. */
  tiers: TierRow[];
  /** With the hour: by month, tier, airline, and days from the origin. */
  by: Record<'month' | 'tier' | 'airline' | 'horizon', ByGroup>;
  plots: ByMethod<Plots>;
};

export type Evidence = {
  /** The days that were forecast from, ascending. */
  origins: string[];
  /** Share of the flights before the cut that were delayed; what skill is measured against. */
  baseRate: number;
  scored: Forecasts;
  /** The same flights by XGBoost as it comes. */
  plain: Forecasts;
  curves: Curves;
};

/** All figures of a back-test; there must be delayed flights and others for every method. */
export function measure({ origins, baseRate, scored, plain, curves }: Evidence): Measured {
  const of = <T>(what: (rows: Scored[], method: Saying, hours: Hours) => T): ByMethod<T> => ({
    linear: byHours((hours) => what(scored[hours], 'linear', hours)),
    ml: byHours((hours) => what(scored[hours], 'ml', hours)),
    blend: byHours((hours) => what(scored[hours], 'blend', hours)),
    reference: byHours((hours) => what(plain[hours], 'ml', hours)),
    rate: byHours((hours) => what(scored[hours], 'rate', hours)),
  });
  const figures = (rows: Scored[], method: Saying, hours: Hours) =>
    methodFigures(rows, method, { curves: curves[hours], baseRate });
  const by = (keyOf: (row: Scored) => string) =>
    groupFigures(scored.with_dep_time, keyOf, (rows, method) =>
      figures(rows, method, 'with_dep_time'),
    );
  return {
    ...of(figures),
    bands: byHours((hours) => bandsOf(scored[hours])),
    score: scoreReliability(scored.with_dep_time),
    ranks: ranksOf(scored.with_dep_time),
    switchedOff: switchedOff(scored.with_dep_time),
    tiers: tiersOf(scored.with_dep_time),
    by: {
      month: by(({ outcome }) => monthOf(outcome.flight_date)),
      tier: by(({ tier }) => tier),
      airline: by(({ outcome }) => outcome.carrier),
      horizon: by(({ outcome }) => horizonOf(outcome, origins)),
    },
    plots: of((rows, method, hours) => ({
      reliability: reliability(probableCasesOf(rows, method, curves[hours])).map(rounded),
      ranking: ranking(casesOf(rows, method)).map(rounded),
    })),
  };
}

/** Days ahead, in spans that mean something to a traveller. */
function horizonOf({ flight_date }: Outcome, origins: string[]): string {
  const origin = origins.findLast((day) => day <= flight_date) ?? '';
  const days = daysBetween(origin, flight_date);
  if (days < 7) return '0-6 days';
  if (days < 30) return '7-29 days';
  if (days < 90) return '30-89 days';
  return '90+ days';
}

function byHours<T>(of: (hours: Hours) => T): Record<Hours, T> {
  return Object.fromEntries(HOURS.map((hours) => [hours, of(hours)])) as Record<Hours, T>;
}

/** Five digits are enough to draw. */
function rounded<T extends Record<string, number>>(point: T): T {
  const entries = Object.entries(point).map(([key, value]) => [key, Math.round(value * 1e5) / 1e5]);
  return Object.fromEntries(entries) as T;
}
