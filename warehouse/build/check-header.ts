import type { CellObject } from '../connect.ts';

export type Severity = 'error' | 'warn';

/** Decides which rows of a check have a severity: all rows, no row, or rows with a value beyond a threshold. */
export type Threshold = {
  rows: 'any row' | 'never' | { column: string; above: number };
  reason: string;
};

/** Parsed header of a check. */
export type CheckHeader = {
  /** Meaning of an offending row. */
  description: string;
  /** A row that reaches `error` stops every publish. A row that reaches only `warn` is reported once. */
  thresholds: Record<Severity, Threshold>;
  /** Limits of the check, bound to the `$name` parameters of its SQL. */
  bounds: { name: string; value: number; meaning: string }[];
};

const THRESHOLD =
  /^(?<severity>warn|error): (?:(?<all>any row|never)|(?<column>\w+) > (?<above>[\d.]+)): (?<reason>.+)$/;
const BOUND = /^(?<name>\w+) = (?<value>[\d.]+): (?<meaning>.+)$/;

/**
 * Parses the header of `sql/checks/<check>.sql`. The first lines say what an offending row means. Indented lines
 * follow:
 * - one for each severity, with a threshold, `any row` or `never`, for example `warn: share > 0.01: reason`;
 * - one for each bound: `name = value: meaning`.
 * A line with a deeper indent continues the line before. Throws if a severity is missing.
 */
export function parseCheckHeader(check: string, sql: string): CheckHeader {
  const header = (/^(?:--.*\n)*/.exec(sql)?.[0] ?? '').replaceAll(/\n-- {5,}/g, ' ');
  const lines = header.trimEnd().split('\n');
  const indented = lines.flatMap((line) => (line.startsWith('--   ') ? line.slice(5) : []));
  const threshold = (severity: Severity): Threshold => {
    const groups = indented.map((line) => THRESHOLD.exec(line)?.groups);
    const found = groups.find((parts) => parts?.['severity'] === severity);
    if (!found) {
      throw new Error(
        `checks/${check}.sql has no line with the limit for ${severity}, such as "--   ${severity}: any row: <reason>"`,
      );
    }
    const { all, column = '', above, reason = '' } = found;
    const rows =
      all === undefined ? { column, above: Number(above) } : (all as 'any row' | 'never');
    return { rows, reason };
  };
  return {
    description: lines
      .filter((line) => !line.startsWith('--   '))
      .map((line) => line.replace(/^-- /, ''))
      .join(' '),
    thresholds: { error: threshold('error'), warn: threshold('warn') },
    bounds: indented.flatMap((line) => {
      const { name = '', value, meaning = '' } = BOUND.exec(line)?.groups ?? {};
      return value === undefined ? [] : [{ name, value: Number(value), meaning }];
    }),
  };
}

/** Returns the severity of a row; undefined if the row reaches no threshold. */
export function severityOf(
  row: CellObject,
  { error, warn }: CheckHeader['thresholds'],
): Severity | undefined {
  if (reaches(row, error)) return 'error';
  return reaches(row, warn) ? 'warn' : undefined;
}

/** Returns the highest severity that a check can have. */
export function highestSeverity({ error }: CheckHeader['thresholds']): Severity {
  return error.rows === 'never' ? 'warn' : 'error';
}

function reaches(row: CellObject, { rows }: Threshold): boolean {
  if (typeof rows === 'string') return rows === 'any row';
  return Number(row[rows.column]) > rows.above;
}
