-- warn: a month that leaves flights late by just 15 minutes out of delayed15_count: make rebuild counts it anew, where the
-- lake has its flights; a file of sums has to be ingested again
select
    month,
    source_name
from raw.lake_months
where delayed15_from > 15
