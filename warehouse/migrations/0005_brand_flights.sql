-- Flights of operators that fly for others, by brand: the evidence for the brands of months known by operator only.
create table reference.brand_flights (
    carrier varchar not null,
    brand varchar not null,
    origin varchar not null,
    dest varchar not null,
    year smallint not null,
    flight_count integer not null
);
