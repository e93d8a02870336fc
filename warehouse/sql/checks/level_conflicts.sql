-- warn: flight files of one form and the delay-cause table have different counts, by more than 2 %, for airlines at
-- airports that together have over 1 % of the compared flights
--   least = 0.01: least share of the flights compared
select
    source_form,
    first_month,
    last_month,
    conflict_flight_count / told_count as conflict_share
from intermediate.int_level_conflicts
where conflict_flight_count > $least * told_count
