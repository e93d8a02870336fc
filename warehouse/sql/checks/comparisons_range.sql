-- a comparison is invalid, or its ratio is not between 0.1 and 10
--   error: any row: the build limits ratios to this range, so the build is broken
--   warn: never: every such row is an error
select
    kind,
    key
from marts.comparisons
where
    not coalesce(abs(log_ratio) < ln(10) and log_ratio_sd >= 0 and isfinite(log_ratio_sd), false)
    or delayed_count > completed_count
    or other_count < 100
