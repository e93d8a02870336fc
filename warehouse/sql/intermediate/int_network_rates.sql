-- One row: delay and cancellation rates of the whole history.
-- Half a flight is added on either side so that a tiny history has finite odds.
create or replace table intermediate.int_network_rates as
select
    (sum(delayed_count) + 0.5) / (sum(completed_count) + 1) as delayed_rate,
    (sum(cancelled_count) + 0.5) / (sum(flight_count) + 1) as cancelled_rate
from intermediate.int_route_carrier_counts
