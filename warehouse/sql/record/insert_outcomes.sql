-- Adds the actual flights of a provider's month, by the slots of the source (see tables.sql). Adds only flights with a
-- frozen forecast.
insert into outcomes by name
with
counted as (
    select * from $counts
),

forecast_cells as (
    select distinct carrier, origin, dest, crs_dep_hour
    from frozen_files
    where provider = $provider and strftime(flight_date, '%Y-%m') = $month_name
),

slotted as (
    select
        $provider as provider,
        counted.carrier,
        counted.origin,
        counted.dest,
        counted.local_hour,
        case counted.dated_by
            when 'day' then strftime(counted.flight_date, '%Y-%m-%d')
            when 'weekday' then $month_name || ' ' || isodow(counted.flight_date)
            else $month_name
        end as slot,
        $month_name as month,
        counted.completed_count,
        counted.delayed_count,
        counted.diverted_count,
        counted.cancelled_count
    from counted
    inner join forecast_cells
        on forecast_cells.carrier = counted.carrier
        and forecast_cells.origin = counted.origin
        and forecast_cells.dest = counted.dest
        and forecast_cells.crs_dep_hour is not distinct from counted.local_hour
)

select * from slotted
