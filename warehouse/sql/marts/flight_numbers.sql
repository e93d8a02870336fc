-- One row per flight number and leg, with its schedule. The schedule is that of the newest month in which the history
-- has flights with the number. A month that is a sample of single flights is used only if there is no other month.
--   brand: airline of the flight number, IATA code
--   flight_number: the number without the airline
--   carrier: usual operating airline of the leg, IATA code
--   crs_dep_time: usual scheduled local time of departure, hhmm; null if unknown
--   crs_arr_time: usual scheduled local time of arrival, hhmm; null if unknown
--   flight_count: flights of the leg in the last two weeks in which the number was flown
create or replace table marts.flight_numbers as
with
-- The flight numbers of the seed are used only with the months of the seed, because these months have a record of their
-- flights.
bundled as (
    select * from reference.flight_numbers
    semi join raw.route_hours using (month, carrier, origin, dest)
    anti join raw.flight_numbers using (month)
),

all_months as (
    select * from raw.flight_numbers
    union all by name
    select * from bundled
),

newest as (
    select all_months.*
    from all_months
    left join raw.month_completeness using (month)
    qualify dense_rank() over (
        partition by brand, flight_number
        order by kind is not distinct from 'sample', month desc
    ) = 1
)

select * from newest
order by brand, flight_number, flight_count desc, origin, dest
