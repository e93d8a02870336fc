-- Loads the route hours of a month of another provider. Counts that the provider does not publish are inferred. The
-- number of flights more than 30 minutes late is a share of the flights 15 minutes late or more. The numbers of longer
-- delays are shares of the flights more than 30 minutes late. `warehouse/store/late-shares.json` has the shares.
-- Rounding is cumulative, so that the sums of an airline are right. If the provider does not publish cancellations or
-- diversions, they are 0.
-- If `basis` is given, all rows get this delay basis. For example, the source of a single airport has delays at arrival
-- for flights in one direction and at departure for flights in the other. With one basis, the model can learn from both
-- directions.
create or replace temp macro spread(flights, carrier, place) as (
    round(sum(flights) over (partition by carrier order by place))
    - round(sum(flights) over (partition by carrier order by place) - flights)
)::integer;

insert into raw.route_hours by name
with
hours as (
    select *
    from read_parquet($file, hive_partitioning = false)
    union all by name
    select
        null::integer as delayed45_count,
        null::integer as delayed90_count,
        null::integer as delayed180_count,
        null::integer as delayed360_count
    where false
),

late as (
    select
        hours.*,
        row(origin, dest, crs_dep_hour, delay_basis) as place,
        coalesce(delayed_count, spread(delayed15_count * $over_30, carrier, place)) as late_count
    from hours
),

inferred as (
    select
        late.*,
        coalesce(delayed60_count, spread(late_count * $over_60, carrier, place)) as late60_count,
        coalesce(delayed120_count, spread(late_count * $over_120, carrier, place)) as late120_count,
        coalesce(delayed180_count, spread(late_count * $over_180, carrier, place)) as late180_count,
        coalesce(delayed360_count, spread(late_count * $over_360, carrier, place)) as late360_count,
        coalesce(
            delayed_min_sum,
            -- Estimates the sum of delays. Each class of delay (up to 60, 120, 180 and 360 minutes, and more) has a
            -- typical number of minutes.
            43 * (delayed_count - delayed60_count) + 84 * (delayed60_count - delayed120_count)
            + 147 * (delayed120_count - delayed180_count) + 240 * (delayed180_count - delayed360_count)
            + 600 * delayed360_count,
            round(late_count * $mean_min)::bigint
        ) as late_min_sum
    from late
),

-- A longer delay must not have more flights than a shorter delay.
ordered as (
    select
        * exclude (late60_count, late120_count, late180_count, late360_count),
        greatest(
            least(late60_count, late_count), coalesce(delayed120_count, delayed180_count, 0)
        ) as late60_count,
        greatest(least(late120_count, late60_count, late_count), coalesce(delayed180_count, 0)) as late120_count,
        least(late180_count, late120_count, late60_count, late_count) as late180_count,
        least(late360_count, late180_count, late120_count, late60_count, late_count) as late360_count
    from inferred
)

select * exclude (place, late_count, late60_count, late120_count, late180_count, late360_count, late_min_sum) replace (
    coalesce($basis, delay_basis) as delay_basis,
    coalesce(cancelled_count, 0) as cancelled_count,
    coalesce(diverted_count, 0) as diverted_count,
    coalesce(delayed15_count, late_count)::integer as delayed15_count,
    late_count::integer as delayed_count,
    late60_count::integer as delayed60_count,
    late120_count::integer as delayed120_count,
    coalesce(delayed180_count, late180_count)::integer as delayed180_count,
    coalesce(delayed360_count, late360_count)::integer as delayed360_count,
    late_min_sum as delayed_min_sum
)
from ordered
