-- Replaces checked_flights by a copy with the same rows in the same order. In the copy, the rows of duplicate_flights
-- are rejected.
create or replace temp table checked_flights as
select
    checked_flights.* replace (
        case
            when duplicate_flights.flight_row is null then checked_flights.reject
            when checked_flights.flight_number is not null
                then reject('flight_number', checked_flights.flight_number, 'duplicate_flight')
            else reject('tail_number', checked_flights.tail_number, 'duplicate_flight')
        end as reject
    )
from checked_flights
left join duplicate_flights on duplicate_flights.flight_row = checked_flights.rowid
order by checked_flights.rowid
