/** Parsed header of a check. */
export type CheckHeader = {
  /** `error` stops every publish, `warn` does not. */
  severity: 'error' | 'warn';
  /** Meaning of an offending row. */
  description: string;
  /** Limits of the check, bound to the `$name` parameters of its SQL. */
  bounds: { name: string; value: number; meaning: string }[];
};

/**
 * Parses the header of `sql/checks/<check>.sql`: `-- warn: meaning of an offending row`, then one line
 * `--   name = value: meaning` per bound.
 */
export function parseCheckHeader(check: string, sql: string): CheckHeader {
  const header = /^(?:--.*\n)*/.exec(sql)?.[0] ?? '';
  const [, severity] = /^-- (error|warn): /.exec(header) ?? [];
  if (severity !== 'error' && severity !== 'warn') {
    throw new Error(`checks/${check}.sql must start with "-- error: " or "-- warn: "`);
  }
  const lines = header.trimEnd().split('\n');
  const bound = /^-- {3}(\w+) = ([\d.]+): (.*)$/;
  const prose = lines.filter((line) => !line.startsWith('--   '));
  return {
    severity,
    description: prose.map((line) => line.replace(/^-- (?:(?:error|warn): )?/, '')).join(' '),
    bounds: lines.flatMap((line) => {
      const [, name, value, meaning] = bound.exec(line) ?? [];
      if (name === undefined || meaning === undefined) return [];
      return [{ name, value: Number(value), meaning }];
    }),
  };
}
