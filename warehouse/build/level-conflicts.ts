import type { Database } from '../connect.ts';
import type { LevelConflict } from './reports.ts';

/**
 * Reads the conflicts between the flights of the last build and the delay-cause table, for each form of source files.
 */
export function readLevelConflicts(db: Database): Promise<LevelConflict[]> {
  return db.rows<LevelConflict>(CONFLICTS);
}

const CONFLICTS = `
  select
    source_form as "form",
    first_month as "firstMonth",
    last_month as "lastMonth",
    compared_count as "compared",
    conflict_count as "conflicts",
    conflict_flight_count / told_count as "flightShare",
    most.month as "month",
    most.carrier as "carrier",
    most.airport as "airport",
    most.source as "source",
    most.flights as "flights",
    most.told as "flightsTold",
    most.late as "late",
    most.told_late as "lateTold"
  from intermediate.int_level_conflicts
  order by source_form`;
