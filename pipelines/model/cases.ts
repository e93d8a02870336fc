import { auc, figuresOf, type Case, type Figures } from '../../models/evaluate/metrics.ts';
import type { ScoreCurve } from '../../models/evaluate/score-curve.ts';
import type { Outcome } from '../../warehouse/build/as-of.ts';
import { NothingToMeasureError } from '../errors.ts';
import { METHODS, type Hours, type Method, type Saying } from './forecasts.ts';
import type { Scored } from './score-outcomes.ts';

/** A curve for each method that gives a score, with the hour and without. */
export type Curves = Record<Hours, Record<'linear' | 'blend', ScoreCurve>>;

/** Figures of groups of flights; without those in which none or all of a method's flights were delayed. */
export type ByGroup = Record<string, Partial<Record<Method, Figures>>>;

/** What is said of each group of flights, and what came; flights a method has no say in are left out. */
export function casesOf(rows: Scored[], method: Saying): Case[] {
  return rows.flatMap((row) => {
    const p = row[method];
    const { completed_count: flights, delayed_count: delayed } = row.outcome;
    return p === undefined || flights === 0 ? [] : { p, flights, delayed };
  });
}

/** The same as probabilities. */
export function probableCasesOf(rows: Scored[], method: Saying, curves: Curves[Hours]): Case[] {
  const cases = casesOf(rows, method);
  if (method === 'ml' || method === 'rate') return cases;
  return cases.map((one) => ({ ...one, p: curves[method](one.p) }));
}

/** The figures of what is said; AUC is that of the score, which no curve can make worse. */
export function methodFigures(
  rows: Scored[],
  method: Saying,
  { curves, baseRate }: { curves: Curves[Hours]; baseRate: number },
): Figures {
  const figures = figuresOf(probableCasesOf(rows, method, curves), baseRate);
  return { ...figures, auc: auc(casesOf(rows, method)) };
}

/** Numbers in names count as such: 7 days before 30. */
const IN_ORDER = new Intl.Collator('en', { numeric: true });

/** The figures of every group, groups in the order of their names. */
export function groupFigures(
  rows: Scored[],
  keyOf: (row: Scored) => string,
  figures: (rows: Scored[], method: Method) => Figures,
): ByGroup {
  const groups = [...Map.groupBy(rows, keyOf)].toSorted(([a], [b]) => IN_ORDER.compare(a, b));
  return Object.fromEntries(
    groups.flatMap(([key, some]) => {
      const methods = METHODS.filter((method) => isMeasurable(casesOf(some, method)));
      const measured = methods.map((method) => [method, figures(some, method)]);
      return methods.length > 0 ? [[key, Object.fromEntries(measured)]] : [];
    }),
  );
}

/** Whether some flights were delayed and some were not; without, no figure tells anything. */
export function isMeasurable(cases: Pick<Case, 'flights' | 'delayed'>[]): boolean {
  return cases.some(({ delayed }) => delayed > 0) && cases.some((one) => one.delayed < one.flights);
}

/** Share of the flights that were delayed; throws `NothingToMeasureError` when it is none or all of them. */
export function rateOf(outcomes: Outcome[], which: string): number {
  let [completed, delayed] = [0, 0];
  for (const { completed_count, delayed_count } of outcomes) {
    completed += completed_count;
    delayed += delayed_count;
  }
  if (delayed > 0 && delayed < completed) return delayed / completed;
  throw new NothingToMeasureError(
    `${delayed} of the ${completed} flights completed ${which} were delayed: too little to go by`,
  );
}
