import type { UnknownValues } from '../../warehouse/extract/unknown-values.ts';
import { count, countOf } from './tables.ts';

/**
 * Formats the unknown values of a file, one line per reason: `unknown_airline: 12 values: XYZ (40 rows), ABC (12 rows)
 * and 10 more`. The last line explains how to load their rows.
 */
export function unknownValuesLines(name: string, unknown: readonly UnknownValues[] = []): string[] {
  const lines = unknown.map(({ reason, values, first }) => {
    const named = first.map(({ value, rows }) => `${value || '(empty)'} (${countOf(rows, 'row')})`);
    const others = values - first.length;
    const rest = others > 0 ? ` and ${count(others)} more` : '';
    return `${name}: ${reason} has ${countOf(values, 'value')}: ${named.join(', ')}${rest}`;
  });
  return lines.length === 0
    ? []
    : [
        ...lines,
        'To load the rows of an unknown airline or airport, add its code or name: docs/providers.md, "Reasons of rejected rows"',
      ];
}
