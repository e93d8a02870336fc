-- Adds one case per horizon and per airline-route, hour and slot: the actual flights, and the forecast for them. If the
-- source has no days, the days of a slot have the same actual flights, and the forecast is the mean over these days. A
-- block is a day or, without days, one month at one airport. The flights of a block share their weather.
insert into cases by name
with
slotted as (
    select
        *,
        strftime(flight_date, '%Y-%m-%d') as day_slot,
        strftime(flight_date, '%Y-%m') as month_slot,
        month_slot || ' ' || isodow(flight_date) as weekday_slot
    from frozen_files
),

matched as (
    select
        'live' as kind,
        outcomes.month,
        slotted.horizon_days,
        outcomes.provider,
        outcomes.carrier,
        outcomes.origin,
        outcomes.dest,
        outcomes.local_hour,
        outcomes.slot,
        case when length(outcomes.slot) = length('2026-12-03') then outcomes.slot
            else outcomes.month || ' ' || outcomes.origin end as block,
        avg(slotted.late_probability) as late_probability,
        avg(slotted.disrupted_probability) as disrupted_probability,
        any_value(outcomes.completed_count) as completed_count,
        any_value(outcomes.delayed_count) as delayed_count,
        any_value(outcomes.diverted_count) as diverted_count,
        any_value(outcomes.cancelled_count) as cancelled_count
    from slotted
    inner join outcomes
        on outcomes.provider = slotted.provider
        and outcomes.carrier = slotted.carrier
        and outcomes.origin = slotted.origin
        and outcomes.dest = slotted.dest
        and outcomes.local_hour is not distinct from slotted.crs_dep_hour
        and outcomes.month = slotted.month_slot
        and outcomes.slot in (slotted.day_slot, slotted.weekday_slot, slotted.month_slot)
    where slotted.late_probability is not null
    group by all
)

select * from matched
