-- One row per kind and key. The row compares the late share of the key's flights with the late share of similar other
-- flights. int_comparison_months describes the kinds, and the similar flights of each kind. `log_ratio` is the
-- Mantel-Haenszel ratio of the shares of late flights, as a logarithm, shrunk toward 0. It is shrunk more if the keys
-- of a kind hardly differ beyond noise. `log_ratio_sd` is the standard deviation that remains. The noise is the
-- variance of the counts (Greenland and Robins), multiplied by a factor. The factor is how much more the months of a
-- key differ than their counts explain.
--   kind: kind of comparison
--   key: codes of airline and airports
--   other_count: flights on the other side of the comparison
--   log_ratio: natural logarithm of the ratio of late shares; above 0 is worse
--   log_ratio_sd: standard deviation of `log_ratio`
create or replace table marts.comparisons as
with
months as (
    select * from intermediate.int_comparison_months
),

-- Adds a quarter of a late flight to each side, because a ratio of 0 has no logarithm.
totals as (
    select
        kind,
        key,
        sum(n) as completed_count,
        sum(late) as delayed_count,
        sum(other_n) as other_count,
        sum(own::decimal(18, 6))::double + 0.25 as own,
        sum(others::decimal(18, 6))::double + 0.25 as others,
        sum(noise::decimal(18, 6))::double + 0.25 as noise
    from months
    group by all
    having completed_count >= 100 and other_count >= 100
),

-- Observed and expected differences between the months of a key. For each kind, the observed differences are divided by
-- the expected ones. The quotient is above 1 if the months differ by more than chance explains.
between_months as (
    select
        months.kind,
        months.key,
        sum(power(months.own - totals.own / totals.others * months.others, 2)) * count(*) / (count(*) - 1) as observed,
        any_value(totals.own / totals.others * totals.noise) as expected
    from months
    inner join totals using (kind, key)
    group by all
    having count(*) > 1
),

dispersions as (
    select
        kind,
        sum(round(observed, 6)::decimal(38, 6))::double / sum(round(expected, 6)::decimal(38, 6))::double as dispersion
    from between_months
    group by all
),

ratios as (
    select
        totals.*,
        round(ln(own / others), 9) as log_ratio,
        -- `dispersion` is unknown if no key has several months. The value 2 is then used.
        round(greatest(1, coalesce(dispersion, 2)) * noise / (own * others), 9) as variance
    from totals
    left join dispersions using (kind)
),

spreads as (
    select
        kind,
        greatest(
            0,
            sum((log_ratio * log_ratio / variance - 1)::decimal(38, 9))::double / sum((1 / variance)::decimal(38, 9))::double
        ) as spread
    from ratios
    group by all
),

comparisons as (
    select
        kind,
        key,
        round(completed_count)::bigint as completed_count,
        round(delayed_count)::bigint as delayed_count,
        round(other_count)::bigint as other_count,
        round(log_ratio * spread / (spread + variance), 6) as log_ratio,
        round(sqrt(spread * variance / (spread + variance)), 6) as log_ratio_sd
    from ratios
    inner join spreads using (kind)
    order by kind, key
)

select * from comparisons
