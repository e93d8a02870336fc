-- One row with the delay and cancellation rates of the whole history; recent months have more weight. Half a flight
-- with the event and half a flight without the event are added, so that a tiny history has finite odds.
--   delayed_rate: share of the completed flights that are more than 30 minutes late
--   cancelled_rate: share of the scheduled flights that are cancelled
create or replace table intermediate.int_network_rates as
select
    (sum(weighted_delayed_count) + 0.5) / (sum(weighted_completed_count) + 1) as delayed_rate,
    (sum(weighted_cancelled_count) + 0.5) / (sum(weighted_flight_count) + 1) as cancelled_rate
from intermediate.int_route_carrier_counts
