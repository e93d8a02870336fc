-- One row per airline, route and month of domestic flights in Australia. The source counts flights up to 15 minutes
-- late as on time, and has no count of flights more than 30 minutes late. Rows for all airlines or all ports are
-- totals.
create or replace temp view bitre_otp as
with
names as (
    select *
    from read_csv(getvariable('form_folder') || '/names.csv', header = true, all_varchar = true)
),

counts as (
    select
        source.*,
        -- The month is a text such as `Jan-20` or, in the official series, a date. Excel stores a date as the number of
        -- days since 1899-12-30. If the month is neither, the columns of year and month are used.
        coalesce(
            try_strptime(
                trim(month),
                [
                    '%b-%y', '%b-%Y', '%b %y', '%b %Y', '%B %Y', '%B-%y', '%Y-%m', '%Y-%m-%d', '%Y-%m-%d %H:%M:%S',
                    '%d/%m/%Y'
                ]
            )::date,
            case when as_number(month) > 20000 then date '1899-12-30' + as_number(month)::integer end,
            make_date(as_year(as_number(year)), as_month(as_number(month_num)), 1)
        ) as day,
        as_grouped_count(sectors_scheduled) as scheduled,
        as_grouped_count(sectors_flown) as flown,
        as_grouped_count(cancellations) as cancelled,
        as_grouped_count(arrivals_delayed) as late,
        as_grouped_count(arrivals_on_time) as on_time,
        -- A count that is not published is empty, or a mark such as `na`.
        not regexp_matches(concat(sectors_scheduled, sectors_flown, cancellations), '\d')
        or not regexp_matches(concat(arrivals_on_time, arrivals_delayed), '\d') as is_unpublished
    from source
)

select
    row_number,
    date_trunc('month', day)::date as month,
    counts.month as month_text,
    airlines.code as carrier,
    origins.code as origin,
    dests.code as dest,
    'arrival' as delay_basis,
    null::tinyint as crs_dep_hour,
    scheduled as flight_count,
    cancelled as cancelled_count,
    null::bigint as diverted_count,
    late + on_time as completed_count,
    late as delayed15_count,
    null::bigint as delayed_count,
    null::bigint as delayed60_count,
    null::bigint as delayed120_count,
    null::bigint as delayed180_count,
    null::bigint as delayed360_count,
    null::bigint as delayed_min_sum,
    1 as period_months,
    false as is_both_directions,
    case
        when lower(trim(airline)) = 'all airlines' then reject('airline', airline, 'total')
        when lower(trim(departing_port)) = 'all ports' or lower(trim(arriving_port)) = 'all ports'
            then reject('departing_port', departing_port, 'total')
        when airlines.code is null then reject('airline', airline, 'unknown_airline')
        when origins.code is null then reject('departing_port', departing_port, 'unknown_airport')
        when dests.code is null then reject('arriving_port', arriving_port, 'unknown_airport')
        when is_unpublished then reject('arrivals_on_time', arrivals_on_time, 'not_published')
    end as exclusion
from counts
left join names as airlines on airlines.kind = 'airline' and airlines.name = lower(trim(airline))
left join names as origins on origins.kind = 'airport' and origins.name = lower(trim(departing_port))
left join names as dests on dests.kind = 'airport' and dests.name = lower(trim(arriving_port))
