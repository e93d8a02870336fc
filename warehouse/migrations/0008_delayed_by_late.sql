-- How far log-odds of being more than 30 minutes late move where those of being 15 minutes late or more move by so much: the
-- delay-cause table knows the latter. 1.24 over the months of 2018, 1.17 over those of 20 hubs in 2024 and 2025.
create macro delayed_by_late(late_log_odds) as 1.2 * late_log_odds;
