-- The forecasts of a snapshot: one row per airline, route and departure hour. The manifest of the snapshot describes
-- its columns with the comments below.
create or replace table snapshot_forecasts (
    month varchar,
    provider varchar,
    airline varchar,
    origin varchar,
    destination varchar,
    dep_hour integer,
    score double,
    late_probability double,
    disrupted_probability double,
    confidence double,
    record_flights integer,
    sold_by varchar,
    sold_by_inferred double,
    sold_by_confidence double
);

comment on column snapshot_forecasts.month is 'Month of the flights, YYYY-MM.';

comment on column snapshot_forecasts.provider is 'Provider of the record; the manifest has its source and terms.';

comment on column snapshot_forecasts.airline is 'Operating airline, IATA code.';

comment on column snapshot_forecasts.origin is 'Airport of departure, IATA code.';

comment on column snapshot_forecasts.destination is 'Airport of arrival, IATA code.';

comment on column snapshot_forecasts.dep_hour is 'Scheduled local hour of departure, 0 to 23; empty if the record has no hours.';

comment on column snapshot_forecasts.score is 'Delay risk, 0 to 100: mean of the days 12 to 18 of the month.';

comment on column snapshot_forecasts.late_probability is 'Probability of an arrival more than 30 minutes late, 0 to 1; empty without a model.';

comment on column snapshot_forecasts.disrupted_probability is 'Probability of a late arrival or a cancellation, 0 to 1; empty without a model.';

comment on column snapshot_forecasts.confidence is 'Confidence in the forecast, 0 to 1.';

comment on column snapshot_forecasts.record_flights is 'Flights of the airline in the record of the route.';

comment on column snapshot_forecasts.sold_by is 'Airlines on the tickets of these flights, IATA codes separated by blanks, most flights first; the operating airline if it sells its own flights.';

comment on column snapshot_forecasts.sold_by_inferred is 'Share of these flights whose airline on the ticket is inferred, 0 to 1.';

comment on column snapshot_forecasts.sold_by_confidence is 'Probability that an inferred airline on the ticket is right, 0 to 1; empty if none is inferred.';
