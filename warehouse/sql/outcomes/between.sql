-- Adds two points to the curve of delays, at 45 and 90 minutes. The curve is the logarithm of the share of flights that
-- are later. Between 30 and 60 minutes, this logarithm falls. The first point is the part of the fall that happens up to
-- 45 minutes, as a share. The second point is the part of the fall between 60 and 120 minutes that happens up to 90
-- minutes, as a share. The effect is the log-odds of the share. Without counts the effect is 0, so that the curve is straight.
insert into outcome_fits
with
counts as (
    select
        sum(delayed_count) filter (where delayed45_count is not null) as from30,
        sum(delayed45_count) as from45,
        sum(delayed60_count) filter (where delayed45_count is not null) as from60,
        sum(delayed60_count) filter (where delayed90_count is not null) as before90,
        sum(delayed90_count) as from90,
        sum(delayed120_count) filter (where delayed90_count is not null) as from120
    from raw.route_hours
),

parts as (
    select
        unnest(['between45', 'between90']) as kind,
        unnest([
            case when from60 > 0 and from30 > from60 then ln(from30 / from45) / ln(from30 / from60) end,
            case when from120 > 0 and before90 > from120 then ln(before90 / from90) / ln(before90 / from120) end
        ]) as part
    from counts
)

select
    'late60' as step,
    kind,
    '' as key,
    coalesce(logit(least(0.95, greatest(0.05, part))), 0) as effect,
    0 as spread
from parts
