-- Aggregate: trials the prior is worth, as in 0001, rounded: sums of fractions differ in their last bit with the order
-- they are taken in, and the same history must give the same marts.
create or replace macro prior_strength(events, trials, prior) as round(least(100000, greatest(1,
    coalesce(sum(greatest(trials - 1, 0) * prior * (1 - prior)), 0)
    / greatest(
        1e-9,
        coalesce(sum(trials * power(events / nullif(trials, 0) - prior, 2) - prior * (1 - prior)), 0)
    ) - 1
)), 6);
