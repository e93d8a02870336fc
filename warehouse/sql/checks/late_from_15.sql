-- delayed15_count of a month leaves out flights exactly 15 minutes late; make rebuild recounts it if the lake has the
-- flights of the month, and a file of sums must be ingested again
--   error: never: only the comparison with the limit of 15 minutes is off, by one minute
--   warn: any row: a person can repair the month
select
    month,
    source_name
from raw.lake_months
where delayed15_from > 15
