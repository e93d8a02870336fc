import type { DelayBasis, LakeTree } from '../../warehouse/lake/lake.ts';

/**
 * A kind of file that ingest reads. A new one is an entry of forms.ts or sum-forms.ts and
 * `warehouse/sql/sources/<name>.sql`, which finds every column named here, missing ones as null.
 */
export type FlightForm = {
  name: string;
  /** The form whose SQL reads this one, too; absent: its own. */
  source?: string;
  /** Single flights, counts of flights per route and hour, or BTS's monthly table by airline and airport of arrival. */
  kind: 'flights' | 'route_hours' | 'delay_causes';
  /** Lower-case column names; `a|b` is satisfied by either. */
  required: readonly string[];
  /** Columns used when the file has them. */
  optional: readonly string[];
  /** Which delay the form knows; rows of the aggregate form carry their own. */
  delayBasis: DelayBasis;
  /** False where no row tells when its flight was scheduled to leave; absent: all do. */
  hasTimes?: false;
  /** What rows tell of their day; where the year is not told, the request or the file name must. */
  calendar: 'date' | 'year_month' | 'month';
};

/** Whether a report, or what it speaks of, is of the delay-cause table, whose months the lake keeps beside flights. */
export function isDelayCauses({ form }: { form: string }): boolean {
  return form === 'delay_causes';
}

/** The tree of the lake that keeps the months of a source. */
export function treeOfSource(source: { form: string }): LakeTree {
  return isDelayCauses(source) ? 'levels' : 'flights';
}
