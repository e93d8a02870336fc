-- One row per staged month of flights: whether it is whole, partial or a sample.
--
-- If the lake has the delay-cause table of the month, the table decides, because it has the flights of the whole month.
-- An airline at an airport is complete if its departures or its arrivals there, on the days of the file, reach nine
-- tenths of the flights in the table.
-- Without the table, a month is whole if it looks like a schedule of the whole country.
--
-- whole: the file has all large airlines, and all flights of its airlines on all days. Six small airlines may be
--   missing: they are in the table, but do not report flights to BTS. The largest of them has 2.9 % of the table's
--   flights.
-- sample: single flights out of most groups. The airline-route of an average flight has less than one flight a day; in
--   real months it has one to six. If the lake has the table, most flights also belong to airlines at airports that are
--   not complete.
-- partial: everything else, such as the flights of some airports, airlines, routes or days
--
--   kind: whole, partial or sample
--   table_share: share of the table's flights that the file has; null without the table
--   day_count: days with flights; null without days
--   month_days: days of the month
--   airport_count, airline_count: airports of departure, and airlines
with
routes as (
    select
        month,
        carrier,
        origin,
        dest,
        sum(flights) as flights
    from staged_routes
    group by all
),

dates as (
    select * from staged_months
),

months as (
    select
        routes.month,
        day(last_day(routes.month)) as month_days,
        any_value(dates.day_count) as day_count,
        count(distinct routes.origin) as airport_count,
        count(distinct routes.carrier) as airline_count,
        sum(routes.flights) as flight_count,
        -- Flights per day on the airline-route of an average flight: the mean over airline-routes, weighted by their
        -- flights.
        sum(routes.flights * routes.flights) / sum(routes.flights) / coalesce(any_value(dates.day_count), month_days)
            as daily_flights
    from routes
    left join dates using (month)
    group by routes.month
),

movements as (
    select
        month,
        carrier,
        origin as airport,
        flights as departures,
        0 as arrivals
    from routes
    union all
    select
        month,
        carrier,
        dest as airport,
        0 as departures,
        flights as arrivals
    from routes
),

file_cells as (
    select
        month,
        carrier,
        airport,
        sum(departures) as departures,
        sum(arrivals) as arrivals
    from movements
    group by all
),

month_levels as (
    select
        month,
        carrier,
        airport,
        sum(flights) as table_flights
    from level_cells
    group by all
),

cells as (
    select
        month,
        carrier,
        airport,
        coalesce(file_cells.departures, 0) as departures,
        coalesce(file_cells.arrivals, 0) as arrivals,
        coalesce(month_levels.table_flights, 0) as table_flights,
        least(coalesce(file_cells.arrivals, 0), coalesce(month_levels.table_flights, 0)) as matched
    from file_cells
    full join month_levels using (month, carrier, airport)
    where month in (select month from months)
),

airlines as (
    select
        month,
        carrier,
        sum(departures) > 0 as is_in_file,
        sum(table_flights) as table_flights,
        sum(matched) as matched
    from cells
    group by all
),

table_shares as (
    select
        month,
        sum(matched) / sum(table_flights) as table_share,
        sum(matched) filter (where is_in_file) / nullif(sum(table_flights) filter (where is_in_file), 0) as own_share,
        max(table_flights - matched) / sum(table_flights) as largest_gap
    from airlines
    group by month
    having sum(table_flights) > 0
),

complete_shares as (
    select
        cells.month,
        coalesce(
            sum(cells.departures) filter (
                where
                    cells.table_flights > 0
                    and greatest(cells.departures, cells.arrivals)
                    >= 0.9 * cells.table_flights * coalesce(months.day_count / months.month_days, 1)
            ),
            0
        ) / nullif(sum(cells.departures), 0) as complete_share
    from cells
    inner join months using (month)
    group by cells.month
),

-- Airports with about as many departures as arrivals. A file of a region has all departures of its airports, but only
-- the arrivals from airports of the region.
airports as (
    select
        month,
        airport,
        sum(departures) as departures,
        sum(arrivals) as arrivals,
        abs(sum(departures) - sum(arrivals)) <= 2 + 0.05 * sum(departures) as is_balanced
    from cells
    group by all
),

balances as (
    select
        month,
        coalesce(sum(departures + arrivals) filter (where is_balanced), 0) / sum(departures + arrivals) as balanced_share
    from airports
    group by month
    having sum(departures + arrivals) > 0
),

judged as (
    select
        months.month,
        case
            when coalesce(months.day_count < months.month_days, false) then false
            when table_shares.table_share is not null
                then table_shares.table_share >= 0.88 and table_shares.own_share >= 0.98 and table_shares.largest_gap <= 0.035
            else months.airport_count >= 150 and months.airline_count >= 8 and balances.balanced_share >= 0.9
                and months.daily_flights >= 1
        end as is_whole,
        months.daily_flights < 1
        and (table_shares.table_share is null or complete_shares.complete_share < 0.5) as is_sample,
        case when is_whole then 'whole' when is_sample then 'sample' else 'partial' end as kind,
        table_shares.table_share,
        months.day_count,
        months.month_days,
        months.airport_count,
        months.airline_count
    from months
    left join table_shares using (month)
    left join complete_shares using (month)
    left join balances using (month)
    order by month
)

select * exclude (is_whole, is_sample) from judged
