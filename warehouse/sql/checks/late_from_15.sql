-- warn: delayed15_count of a month leaves out flights exactly 15 minutes late; make rebuild recounts it if the lake has
-- the flights of the month, and a file of sums must be ingested again
select
    month,
    source_name
from raw.lake_months
where delayed15_from > 15
