-- For a source of several files: one row per rejected row of the month. With $month null, one row per rejected row
-- whose month is unknown.
select
    line,
    column_name as "column",
    value,
    reason,
    part
from rejected_rows
where month is not distinct from $month::date
order by part, line
