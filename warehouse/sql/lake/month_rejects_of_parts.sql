-- For a source split across several files: one row per rejected row of the month. If $month is null, returns the
-- rejected rows without a month.
select
    line,
    column_name as "column",
    value,
    reason,
    part
from rejected_rows
where month is not distinct from $month::date
order by part, line
