import type { DelayBasis, LakeTree } from '../../warehouse/lake/lake.ts';

/**
 * A kind of source file. A new form needs an entry in forms.ts or sum-forms.ts and
 * `warehouse/sql/sources/<name>.sql`. The SQL can use every column named here; optional columns that are missing are
 * null.
 */
export type FlightForm = {
  name: string;
  /** Name of another form whose SQL reads this form too; absent if the form has its own SQL. */
  source?: string;
  /** Single flights, counts of flights per route and hour, or BTS's monthly table by airline and airport of arrival. */
  kind: 'flights' | 'route_hours' | 'delay_causes';
  /** Lower-case column names; `a|b` is satisfied by either. */
  required: readonly string[];
  /** Lower-case names of columns that are used if present. */
  optional: readonly string[];
  /** Whether delays are at arrival or departure. Each row of `route_hours` states its own basis. */
  delayBasis: DelayBasis;
  /** False if the rows have no scheduled departure time. */
  hasTimes?: false;
  /** Precision of the dates. If it is `month`, the year comes from the request or the file name. */
  calendar: 'date' | 'year_month' | 'month';
};

/**
 * Whether a source, or its report, belongs to the delay-cause table. The lake stores months of this table separately
 * from flights.
 */
export function isDelayCauses({ form }: { form: string }): boolean {
  return form === 'delay_causes';
}

/** Returns the tree of the lake that stores the months of a source. */
export function treeOfSource(source: { form: string }): LakeTree {
  return isDelayCauses(source) ? 'levels' : 'flights';
}
