-- One row per airline, route and month of flights from and to France. The source has shares of late flights. They are
-- converted to counts. Late means at least 15 minutes after the schedule; README.md compares this with Britain's
-- figures.
create or replace temp view aqst_airlines as
with
counts as (
    select
        row_number,
        as_number(mois) as month_number,
        as_number("année") as year_number,
        concat_ws('-', "année", mois) as month_text,
        trim("code cie") as airline,
        trim("code aero départ") as from_icao,
        trim("code aero destination") as to_icao,
        as_count(as_number("nbre mensuel de vols programmés par la cie sur la relation")) as scheduled,
        as_count(as_number("nbre mensuel de vols assurés par la cie sur la relation")) as flown,
        as_count(as_number("nbre mensuel de vols annulés par la cie sur la relation")) as cancelled,
        as_number(replace("part (%) des vols exploités par la cie en retard à l'arrivée sur la relation (mois)", ',', '.'))
            / 100 as late_share
    from source
)

select
    row_number,
    case
        when as_year(year_number) is not null and as_month(month_number) is not null
            then make_date(as_year(year_number), as_month(month_number), 1)
    end as month,
    month_text,
    airlines.iata as carrier,
    origins.iata as origin,
    dests.iata as dest,
    'arrival' as delay_basis,
    null::tinyint as crs_dep_hour,
    -- If a route had extra flights, a row has more flights than were scheduled.
    greatest(scheduled, flown + cancelled) as flight_count,
    cancelled as cancelled_count,
    null::bigint as diverted_count,
    flown as completed_count,
    round(late_share * flown)::bigint as delayed15_count,
    null::bigint as delayed_count,
    null::bigint as delayed60_count,
    null::bigint as delayed120_count,
    null::bigint as delayed180_count,
    null::bigint as delayed360_count,
    null::bigint as delayed_min_sum,
    1 as period_months,
    false as is_both_directions,
    case
        when airlines.iata is null then reject('code cie', airline, 'unknown_airline')
        when origins.iata is null then reject('code aero départ', from_icao, 'unknown_airport')
        when dests.iata is null then reject('code aero destination', to_icao, 'unknown_airport')
        when late_share is null and flown > 0 then reject('part (%) des vols en retard', null, 'invalid_share')
    end as exclusion
from counts
left join airline_codes as airlines on airlines.icao = airline
left join airport_codes as origins on origins.icao = from_icao
left join airport_codes as dests on dests.icao = to_icao
