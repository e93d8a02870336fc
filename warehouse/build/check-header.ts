/** What the header of a check says. */
export type CheckHeader = {
  /** `error` stops every publish, `warn` does not. */
  severity: 'error' | 'warn';
  /** What it finds. */
  finds: string;
  /** Where it begins to find, bound to the `$name` parameters of its SQL. */
  bounds: { name: string; value: number; meaning: string }[];
};

/** Reads the header of `sql/checks/<check>.sql`: `-- warn: what it finds`, then a line `--   name = value: meaning` a bound. */
export function checkHeader(check: string, sql: string): CheckHeader {
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
    finds: prose.map((line) => line.replace(/^-- (?:(?:error|warn): )?/, '')).join(' '),
    bounds: lines.flatMap((line) => {
      const [, name, value, meaning] = bound.exec(line) ?? [];
      if (name === undefined || meaning === undefined) return [];
      return [{ name, value: Number(value), meaning }];
    }),
  };
}
