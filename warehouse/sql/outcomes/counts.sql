-- One row per airline-route with flights, numbered from 0.
create or replace temp table outcome_routes as
with
routes as (
    select distinct
        carrier,
        origin,
        dest
    from raw.route_hours
)

select
    (row_number() over (order by carrier, origin, dest) - 1)::integer as route,
    carrier,
    origin,
    dest
from routes;

-- One row per month, airline-route and scheduled local departure hour, with two counts for each step of
-- `warehouse/store/outcome-kinds.ts`: flights that could take the step (`…_from`), and flights that took it
-- (`…_count`). If a source does not count a step, both are 0. The weight of a flight halves every 60 months: long
-- delays are rare, and how their groups differ changes slowly. Only flights with the more common delay basis are used,
-- because delays at departure and at arrival differ.
create or replace temp table outcome_counts as
with
usual_basis as (
    select delay_basis
    from raw.route_hours
    group by all
    order by sum(completed_count) desc, delay_basis
    limit 1
),

counts as (
    select
        month,
        carrier,
        origin,
        dest,
        crs_dep_hour as local_hour,
        sum(completed_count - delayed_count)::integer as late15_from,
        sum(delayed15_count - delayed_count)::integer as late15_count,
        sum(delayed_count)::integer as late60_from,
        sum(delayed60_count)::integer as late60_count,
        sum(delayed120_count)::integer as late120_count,
        sum(if(delayed180_count is null, 0, delayed120_count))::integer as late180_from,
        sum(coalesce(delayed180_count, 0))::integer as late180_count,
        sum(if(delayed360_count is null, 0, coalesce(delayed180_count, 0)))::integer as late360_from,
        sum(if(delayed180_count is null, 0, coalesce(delayed360_count, 0)))::integer as late360_count,
        sum(flight_count)::integer as cancelled_from,
        sum(cancelled_count)::integer as cancelled_count
    from raw.route_hours
    inner join usual_basis using (delay_basis)
    group by all
),

months as (
    select
        month,
        half_year(month) as half_year,
        season_depth(month)::double as season_depth,
        power(0.5, date_diff('month', middle_of(month), max(middle_of(month)) over ()) / 60)::decimal(7, 6) as weight
    from (select distinct month from counts)
)

select
    routes.route,
    counts.* exclude (carrier, origin, dest),
    late60_count as late120_from,
    months.half_year,
    months.season_depth,
    months.weight
from counts
inner join outcome_routes as routes using (carrier, origin, dest)
inner join months using (month);

-- The sums of `outcome_counts` over the hours.
create or replace temp table outcome_month_counts as
select
    route,
    month,
    half_year,
    season_depth,
    sum(columns('_from$|_count$'))::integer
from outcome_counts
group by all;

-- One row per effect of a step; filled by `warehouse/build/outcomes.ts`.
create or replace temp table outcome_fits (
    step varchar,
    kind varchar,
    key varchar,
    effect double,
    spread double
);

-- Level of each month for the current step, in log-odds, and the part of it that is due to the season; filled by
-- `warehouse/build/outcomes.ts`.
create or replace temp table outcome_months (
    month varchar,
    log_odds double,
    season double
)
