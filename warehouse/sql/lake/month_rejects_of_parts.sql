-- One row per rejected row of the month. If $month is null, one row per rejected row whose month is unknown. Used for a
-- source of several files.
select
    line,
    column_name as "column",
    value,
    reason,
    part
from rejected_rows
where month is not distinct from $month::date
order by part, line
