-- One row per kind (carrier, dest), code and month, for the newest 24 months of the delay-cause table. The delay-cause
-- table has every reporting airline. Its newest month is a few months old.
--   kind: carrier or dest
--   code: code of the airline or airport
--   flight_count: flights scheduled to arrive
--   delayed15_count: flights that arrived 15 minutes late or more
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
