-- One row per airport, other airport, airline and direction in a month or a year. From 2018, the shares of the delay
-- bands, of unmatched flights and of cancelled flights add up to 100 %. Up to 2017, the shares of the delay bands refer
-- only to matched flights, and cancellations are not published. Shares are converted to counts, rounded to whole
-- flights. Files without a direction count both directions together.
create or replace temp view caa_punctuality as
with
places as (
    select *
    from read_csv(getvariable('form_folder') || '/places.csv', header = true, all_varchar = true)
),

british_places as (
    select
        name,
        iata
    from places
    where country in ('UNITED KINGDOM', 'ISLE OF MAN', 'CHANNEL ISLANDS')
),

airlines as (
    select *
    from read_csv(getvariable('form_folder') || '/airlines.csv', header = true, all_varchar = true)
),

numbers as (
    select
        source.*,
        as_grouped_count(number_flights_matched) as matched,
        as_grouped_count(actual_flights_unmatched) as unmatched,
        as_grouped_count(number_flights_cancelled) as cancelled,
        as_number(coalesce(flights_between_16_and_30_minutes_late_percent, flts_16_to_30_mins_late_percent)) as late16,
        as_number(coalesce(flights_between_31_and_60_minutes_late_percent, flts_31_to_60_mins_late_percent)) as late31,
        coalesce(
            as_number(flights_between_61_and_120_minutes_late_percent)
            + as_number(flights_between_121_and_180_minutes_late_percent),
            as_number(flts_61_to_180_mins_late_percent)
        ) as late61,
        as_number(flights_between_121_and_180_minutes_late_percent) as late121,
        as_number(coalesce(flights_between_181_and_360_minutes_late_percent, flts_181_to_360_mins_late_percent)) as late181,
        as_number(coalesce(flights_more_than_360_minutes_late_percent, more_than_360_mins_late_percent)) as late361,
        regexp_full_match(trim(reporting_period), '\d{4}') as is_year
    from source
),

periods as (
    select
        *,
        -- An annual file of the older layout states December as its period, but has the flights of a whole year. Such a
        -- file is recognised by its size: no British airport has 60,000 flights in a month.
        is_year or max(airport_flights) over () > 60000 as is_annual
    from (
        select *, sum(matched) over (partition by reporting_airport) as airport_flights
        from numbers
    ) as by_airport
),

coded as (
    select
        periods.*,
        matched + if(cancelled is null, 0, unmatched + cancelled) as total,
        reporting.iata as reporting_iata,
        others.iata as other_iata,
        airlines.iata as carrier,
        coalesce(upper(trim(arrival_departure)), '') as direction,
        others.iata in (select iata from british_places where as_name(name) in (select as_name(reporting_airport) from source)) as is_reporting
    from periods
    left join british_places as reporting on as_name(reporting.name) = as_name(reporting_airport)
    left join places as others
        on as_name(others.country) = as_name(origin_destination_country)
        and as_name(others.name) = as_name(origin_destination)
    left join airlines on as_name(airlines.name) = as_name(airline_name)
)

select
    row_number,
    case
        when is_year then make_date(reporting_period::integer, 12, 1)
        else try_strptime(replace(trim(reporting_period), '-', '') || '01', '%Y%m%d')::date
    end as month,
    reporting_period as month_text,
    carrier,
    case when direction = 'A' then other_iata else reporting_iata end as origin,
    case when direction = 'A' then reporting_iata else other_iata end as dest,
    case when direction = 'A' then 'arrival' else 'departure' end as delay_basis,
    null::tinyint as crs_dep_hour,
    matched + unmatched + coalesce(cancelled, 0) as flight_count,
    cancelled as cancelled_count,
    null::bigint as diverted_count,
    matched as completed_count,
    round((late16 + late31 + late61 + late181 + late361) * total / 100)::bigint as delayed15_count,
    round((late31 + late61 + late181 + late361) * total / 100)::bigint as delayed_count,
    round((late61 + late181 + late361) * total / 100)::bigint as delayed60_count,
    round((late121 + late181 + late361) * total / 100)::bigint as delayed120_count,
    round((late181 + late361) * total / 100)::bigint as delayed180_count,
    round(late361 * total / 100)::bigint as delayed360_count,
    null::bigint as delayed_min_sum,
    case when is_annual then 12 else 1 end as period_months,
    direction not in ('A', 'D') as is_both_directions,
    case
        when matched is null or unmatched is null then reject('number_flights_matched', number_flights_matched, 'invalid_count')
        when matched + unmatched + coalesce(cancelled, 0) = 0 then reject('number_flights_matched', '0', 'no_flights')
        when carrier is null and upper(trim(scheduled_charter)) = 'C'
            then reject('airline_name', airline_name, 'charter_airline')
        when carrier is null then reject('airline_name', airline_name, 'unknown_airline')
        when reporting_iata is null then reject('reporting_airport', reporting_airport, 'unknown_airport')
        when other_iata is null then reject('origin_destination', origin_destination, 'unknown_airport')
        when reporting_iata = other_iata then reject('origin_destination', origin_destination, 'round_trip')
        -- A domestic flight is in the rows of both its airports. Only the row of the arrival is used.
        when is_reporting and direction = 'D' then reject('arrival_departure', direction, 'counted_at_destination')
        when is_reporting and direction not in ('A', 'D') and reporting_iata > other_iata
            then reject('origin_destination', origin_destination, 'counted_at_destination')
    end as exclusion
from coded
