import { assembleRows } from '../../models/assemble.ts';
import { DAY_FEATURES, FEATURES } from '../../models/features.ts';
import { hourSharesOf } from '../../models/hour-shares.ts';
import { DAY_MS } from '../../warehouse/ground/dates.ts';
import type { Outcome } from '../../warehouse/build/as-of.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import { ModelImportRefusedError } from '../errors.ts';
import type { ReleasedModel, TestSet } from './rehearsal.ts';
import { queryOf } from './score-outcomes.ts';
import { findTestSet, hasForecast, type TestSetDeps } from './test-set.ts';
import { storeForDays } from './unknown-days.ts';

export type ModelRowsDeps = TestSetDeps & {
  released: () => Promise<Pick<ReleasedModel, 'trainedOn'> | undefined>;
  /** Writes the columns, which have equal lengths, to the file. */
  write: (columns: RowColumns) => Promise<void>;
};

/** The kinds of rows in the file; `docs/model.md` describes them and the columns. */
export const ROW_PARTS = ['forecast', 'served', 'test'] as const;

/** The columns of the rows by name. NaN is a missing number. */
export type RowColumns = {
  /** Indexes in `ROW_PARTS`. */
  part: number[];
  numbers: Record<string, number[]>;
};

export type ModelRowsReport = {
  rows: Record<(typeof ROW_PARTS)[number], number>;
  /** Months of the test rows, `YYYY-MM`. */
  testMonths: string[];
};

/**
 * Writes the rows that a training uses, and the rows of the flights on which `judgeImport` judges a model. Throws a
 * `ModelImportRefusedError` if the history is too short to judge a model.
 */
export async function writeModelRows(
  months: string[],
  deps: ModelRowsDeps,
): Promise<ModelRowsReport> {
  const testSet = await findTestSet(months, await deps.released(), deps);
  if ('refusal' in testSet) throw new ModelImportRefusedError(testSet.refusal.why);
  const columns = emptyColumns();
  addTrainingRows(columns, testSet.knowledge.training.columns);
  addTestRows(columns, testSet, deps.openStore(testSet.knowledge.store));
  await deps.write(columns);
  const count = (index: number) => columns.part.filter((part) => part === index).length;
  return {
    rows: { forecast: count(0), served: count(1), test: count(2) },
    testMonths: testSet.months,
  };
}

const FACTS = ['month', 'day', 'case_id', 'share', 'flights', 'delayed', 'level_shift'] as const;

type Facts = Record<(typeof FACTS)[number], number>;

function emptyColumns(): RowColumns {
  const names = [...FACTS, ...FEATURES.map(({ name }) => name)];
  return { part: [], numbers: Object.fromEntries(names.map((name) => [name, []])) };
}

function addRow(
  { part, numbers }: RowColumns,
  index: number,
  facts: Facts,
  featureOf: (name: string, at: number) => number,
): void {
  part.push(index);
  for (const name of FACTS) numbers[name]?.push(facts[name]);
  for (const [at, { name }] of FEATURES.entries()) numbers[name]?.push(featureOf(name, at));
}

/** Adds the rows of `training/rows.sql`. These rows have a month but no day, so features of the day are 0. */
function addTrainingRows(to: RowColumns, columns: Record<string, Float64Array>): void {
  const value = (name: string, row: number) => columns[name]?.[row] ?? Number.NaN;
  const undated = new Set<string>(DAY_FEATURES.filter((name) => columns[name] === undefined));
  const count = columns['flight_count']?.length ?? 0;
  for (let row = 0; row < count; row++) {
    const facts = {
      month: value('month_number', row),
      day: Number.NaN,
      case_id: Number.NaN,
      share: 1,
      flights: value('flight_count', row),
      delayed: value('delayed_count', row),
      level_shift: value('level_shift', row),
    };
    addRow(to, value('is_forecast', row) === 1 ? 0 : 1, facts, (name) =>
      undated.has(name) ? 0 : value(name, row),
    );
  }
}

/** Adds the rows of the test flights, as the API computes them: one for each possible hour of a group of flights. */
function addTestRows(to: RowColumns, { outcomes }: TestSet, store: ScoreStore): void {
  const cases = outcomes.filter((one) => one.completed_count > 0 && hasForecast(one, store));
  for (const [caseId, outcome] of cases.entries()) {
    const { rows, shares } = featuresOf(outcome, storeForDays(store, outcome.dated_by));
    for (const [row, share] of shares.entries()) {
      const facts = {
        month: monthNumber(outcome.flight_date),
        day: outcome.dated_by === 'day' ? Date.parse(outcome.flight_date) / DAY_MS : Number.NaN,
        case_id: caseId,
        share,
        flights: outcome.completed_count,
        delayed: outcome.delayed_count,
        level_shift: Number.NaN,
      };
      addRow(to, 2, facts, (_, at) => rows[row * FEATURES.length + at] as number);
    }
  }
}

function featuresOf(outcome: Outcome, store: ScoreStore) {
  const query = queryOf(outcome, true);
  const { depHours, shares } = hourSharesOf(query, store);
  return { rows: assembleRows(query, depHours, store, {}), shares };
}

/** Months since January 1970. */
function monthNumber(day: string): number {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return (year - 1970) * 12 + month - 1;
}
