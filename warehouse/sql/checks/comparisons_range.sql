-- error: a comparison that cannot be, or one beyond ten times as often
select
    kind,
    key
from marts.comparisons
where
    not coalesce(abs(log_ratio) < ln(10) and log_ratio_sd >= 0 and isfinite(log_ratio_sd), false)
    or delayed_count > completed_count
    or other_count < 100
