-- One row per rejected row of the month of several files given together; of the rows without a month when $month is null.
select
    line,
    column_name as "column",
    value,
    reason,
    part
from rejected_rows
where month is not distinct from $month::date
order by part, line
