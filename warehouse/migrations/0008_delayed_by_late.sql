-- Change in the log-odds of being more than 30 minutes late for a change in the log-odds of being 15 minutes late or
-- more, which is the figure in the delay-cause table. Measured: 1.24 over the months of 2018, 1.17 over the months of
-- 20 hubs in 2024 and 2025.
create macro delayed_by_late(late_log_odds) as 1.2 * late_log_odds;
