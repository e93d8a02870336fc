-- error: the warehouse has no flights, so there is no history to publish
select 'no flights in the warehouse' as problem
from (select count(*) as month_count from raw.lake_months) as months
where months.month_count = 0
