-- One row per rejected row of the month, in file order. If $month is null, one row per rejected row whose month is
-- unknown.
select
    line,
    column_name as "column",
    value,
    reason
from rejected_rows
where month is not distinct from $month::date
order by line
