-- the warehouse has no flights in the United States, without which nothing is published
--   error: any row: a store without flights has no answers
--   warn: never: every such row is an error
select 'no flights in the warehouse' as problem
from (select count(*) as month_count from raw.lake_months) as months
where months.month_count = 0
