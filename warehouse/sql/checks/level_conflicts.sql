-- for airlines at airports, the counts in flight files of one form differ by more than 2 % from the delay-cause table
--   error: never: a file that lacks a few days of a month differs everywhere, but its flights are real; only counts
--     above the table's counts are an error, see counts_above_table
--   warn: conflict_share > 0.01: BTS's files and BTS's table have exactly the same counts; 1 % allows for late
--     corrections
select
    source_form,
    first_month,
    last_month,
    conflict_flight_count / told_count as conflict_share
from intermediate.int_level_conflicts
