-- One row per rejected row of the month, in file order. If $month is null, returns the rejected rows without a month.
select
    line,
    column_name as "column",
    value,
    reason
from rejected_rows
where month is not distinct from $month::date
order by line
