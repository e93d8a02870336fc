-- Log-odds of a rate, limited to rates from 0.000001 to 0.999999.
create or replace temp macro bounded_logit(rate) as logit(greatest(1e-6, least(1 - 1e-6, rate)));

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

-- The rows of raw.route_hours with two counts for each step of `warehouse/store/outcome-kinds.ts`: flights that could
-- take the step (`…_from`), and flights that took it (`…_count`). If a source does not count a step, both are 0. The
-- rows are not summed here, because every reader sums them. The weight of a flight halves every 60 months, because long
-- delays are rare and the differences between groups change slowly. Only flights with the more common delay basis are
-- used, because delays at departure and at arrival differ.
create or replace temp table outcome_counts as
with
usual_basis as (
    select delay_basis
    from raw.route_hours
    group by all
    order by sum(completed_count) desc, delay_basis
    limit 1
),

months as (
    select
        month,
        half_year(month) as half_year,
        season_depth(month)::double as season_depth,
        power(0.5, date_diff('month', middle_of(month), max(middle_of(month)) over ()) / 60)::decimal(7, 6) as weight
    from (select distinct month from raw.route_hours inner join usual_basis using (delay_basis))
)

select
    routes.route,
    hours.month,
    hours.crs_dep_hour as local_hour,
    hours.completed_count - hours.delayed_count as late15_from,
    hours.delayed15_count - hours.delayed_count as late15_count,
    hours.delayed_count as late60_from,
    hours.delayed60_count as late60_count,
    hours.delayed60_count as late120_from,
    hours.delayed120_count as late120_count,
    if(hours.delayed180_count is null, 0, hours.delayed120_count) as late180_from,
    coalesce(hours.delayed180_count, 0) as late180_count,
    if(hours.delayed360_count is null, 0, coalesce(hours.delayed180_count, 0)) as late360_from,
    if(hours.delayed180_count is null, 0, coalesce(hours.delayed360_count, 0)) as late360_count,
    hours.flight_count as cancelled_from,
    hours.cancelled_count,
    months.half_year,
    months.season_depth,
    months.weight
from raw.route_hours as hours
inner join usual_basis using (delay_basis)
inner join outcome_routes as routes using (carrier, origin, dest)
inner join months using (month);

-- One row per airline-route and month: the sums of `outcome_counts`.
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

-- Level of each month for each step, in log-odds, and the part of it that is due to the season; filled by
-- `warehouse/build/outcomes.ts`.
create or replace temp table outcome_months (
    step varchar,
    month varchar,
    log_odds double,
    season double
)
