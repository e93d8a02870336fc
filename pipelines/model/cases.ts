import { aucOf, figuresOf, type Case, type Figures } from '../../models/evaluate/metrics.ts';
import type { ScoreCurve } from '../../models/evaluate/score-curve.ts';
import type { Outcome } from '../../warehouse/build/as-of.ts';
import { sum } from '../../warehouse/ground/numbers.ts';
import { NothingToMeasureError } from '../errors.ts';
import { METHODS, type Hours, type Method, type ForecastSource } from './forecasts.ts';
import type { ScoredOutcome } from './score-outcomes.ts';

/** For each kind of score, the curve from scores to probabilities, with and without the hour. */
export type Curves = Record<Hours, Record<'linear' | 'blend', ScoreCurve>>;

/**
 * Figures of the forecasts, by group of flights and by method. A group lacks the figures of a method if all or none of
 * its flights were delayed.
 */
export type ByGroup = Record<string, Partial<Record<Method, Figures>>>;

/** Returns forecasts and outcomes by group of flights. Leaves out flights without a forecast. */
export function casesOf(rows: ScoredOutcome[], method: ForecastSource): Case[] {
  return rows.flatMap((row) => {
    const p = row[method];
    const { completed_count: flights, delayed_count: delayed } = row.outcome;
    return p === undefined || flights === 0 ? [] : { p, flights, delayed };
  });
}

/** Returns the cases with scores converted to probabilities. */
export function probabilityCasesOf(
  rows: ScoredOutcome[],
  method: ForecastSource,
  curves: Curves[Hours],
): Case[] {
  const cases = casesOf(rows, method);
  if (method === 'ml' || method === 'rate') return cases;
  return cases.map((one) => ({ ...one, p: curves[method](one.p) }));
}

/**
 * Figures of the forecasts. AUC is computed from the score itself, because the conversion to a probability does not
 * change the order of the flights.
 */
export function methodFigures(
  rows: ScoredOutcome[],
  method: ForecastSource,
  { curves, baseRate }: { curves: Curves[Hours]; baseRate: number },
): Figures {
  const figures = figuresOf(probabilityCasesOf(rows, method, curves), baseRate);
  return { ...figures, auc: aucOf(casesOf(rows, method)) };
}

/** Sorts numbers in names by value, so that 7 days come before 30. */
const NUMERIC_ORDER = new Intl.Collator('en', { numeric: true });

/** Figures of every group; the groups are in the order of their names. */
export function groupFigures(
  rows: ScoredOutcome[],
  keyOf: (row: ScoredOutcome) => string,
  figures: (rows: ScoredOutcome[], method: Method) => Figures,
): ByGroup {
  const groups = [...Map.groupBy(rows, keyOf)].toSorted(([a], [b]) => NUMERIC_ORDER.compare(a, b));
  return Object.fromEntries(
    groups.flatMap(([key, group]) => {
      const methods = METHODS.filter((method) => isMeasurable(casesOf(group, method)));
      const entries = methods.map((method) => [method, figures(group, method)]);
      return methods.length > 0 ? [[key, Object.fromEntries(entries)]] : [];
    }),
  );
}

/** Whether the cases contain delayed and other flights. Without both, no figure is meaningful. */
export function isMeasurable(cases: Pick<Case, 'flights' | 'delayed'>[]): boolean {
  return cases.some(({ delayed }) => delayed > 0) && cases.some((one) => one.delayed < one.flights);
}

/** Returns the share of delayed flights. Throws `NothingToMeasureError` when no flight or every flight was delayed. */
export function rateOf(outcomes: Outcome[], period: string): number {
  const delayed = sum(outcomes.map(({ delayed_count }) => delayed_count));
  const completed = sum(outcomes.map(({ completed_count }) => completed_count));
  return delayedShare(delayed, completed, period);
}

/** Returns `delayed / completed`. Throws `NothingToMeasureError` when no flight or every flight was delayed. */
export function delayedShare(delayed: number, completed: number, period: string): number {
  if (delayed > 0 && delayed < completed) return delayed / completed;
  throw new NothingToMeasureError(
    `${delayed} of ${completed} completed flights ${period} were delayed. Nothing can be measured without both delayed flights and flights on time`,
  );
}
