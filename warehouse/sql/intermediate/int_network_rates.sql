-- One row with the delay and cancellation rates of the whole history; recent months have more weight. Half a flight
-- with the outcome and half a flight without it are added, so that the odds of a tiny history are never 0 or infinite.
--   delayed_rate: share of the completed flights that are more than 30 minutes late
--   cancelled_rate: share of the scheduled flights that are cancelled
create or replace table intermediate.int_network_rates as
select
    (sum(weighted_delayed_count) + 0.5) / (sum(weighted_completed_count) + 1) as delayed_rate,
    (sum(weighted_cancelled_count) + 0.5) / (sum(weighted_flight_count) + 1) as cancelled_rate
from intermediate.int_route_carrier_counts
