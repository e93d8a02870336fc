-- Stages the loaded months whose completeness is missing or outdated, and the delay-cause table of these months.
create or replace temp table outdated_months as
select
    lake_months.month,
    lake_months.extracted_at,
    delay_cause_months.file_sha256 as table_sha256
from raw.lake_months
left join raw.delay_cause_months using (month)
left join raw.month_completeness as known
    on known.month = lake_months.month
    and known.extracted_at = lake_months.extracted_at
    and known.table_sha256 is not distinct from delay_cause_months.file_sha256
where known.month is null;

insert into staged_routes by name
select
    month,
    carrier,
    origin,
    dest,
    sum(flight_count)::bigint as flights
from raw.route_hours
where month in (select month from outdated_months)
group by all;

insert into staged_months by name
select
    date_trunc('month', flight_date)::date as month,
    count(distinct flight_date) as day_count
from raw.airport_days
where date_trunc('month', flight_date)::date in (select month from outdated_months)
group by all;

insert into level_cells by name
select
    month,
    carrier,
    airport,
    arr_flights as flights
from raw.delay_causes
where arr_flights > 0 and month in (select month from outdated_months)
