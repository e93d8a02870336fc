-- One row per kind (carrier, dest), code and month of the newest 24 of the delay-cause table: flights scheduled to arrive, those 15
-- minutes late or more, cancelled and diverted ones. It knows every airline that reports, to a few months ago.
--   kind: carrier or dest
--   code: of the airline or airport
create or replace table marts.recent_months as
with
newest as (
    select max(month) as month
    from raw.delay_causes
),

causes as (
    select
        unnest(['carrier', 'dest']) as kind,
        unnest([carrier, airport]) as code,
        causes.month,
        arr_flights,
        arr_del15,
        arr_cancelled,
        arr_diverted
    from raw.delay_causes as causes
    inner join newest on causes.month > newest.month - to_months(24)
),

recent_months as (
    select
        kind,
        code,
        month,
        sum(arr_flights)::bigint as flight_count,
        sum(arr_del15)::bigint as delayed15_count,
        sum(arr_cancelled)::bigint as cancelled_count,
        sum(arr_diverted)::bigint as diverted_count
    from causes
    group by all
    order by kind, code, month
)

select * from recent_months
