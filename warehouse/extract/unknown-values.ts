import type { Database } from '../connect.ts';

/**
 * The unknown values in the rows that were rejected for one reason. An airline code that is in no table is an unknown
 * value. Some forms reject unknown values as invalid.
 */
export type UnknownValues = {
  /** Reason of the rejected rows, for example `unknown_airline`. */
  reason: string;
  /** Number of different values. */
  values: number;
  /** The most frequent values, each with its number of rows. */
  first: { value: string; rows: number }[];
};

/** Maximum number of values in `first`. */
const NAMED_VALUES = 5;

const UNKNOWN_VALUES = `
  with counts as (
    select reason, coalesce(trim(value), '') as value, count(*) as row_count
    from rejected_rows
    where starts_with(reason, 'unknown_') or reason in ('invalid_carrier', 'invalid_origin', 'invalid_dest')
    group by all
  )
  select
    reason,
    count(*) as "values",
    list({'value': value, 'rows': row_count} order by row_count desc, value)[:${NAMED_VALUES}] as "first"
  from counts group by reason order by reason`;

/** Reads the unknown values of the rejected rows of a staged source, by reason. */
export async function readUnknownValues(db: Database): Promise<UnknownValues[]> {
  return db.rows<UnknownValues>(UNKNOWN_VALUES);
}
