-- Converts the estimated levels to the levels that the store publishes. Only half of an airport's half-year effect is
-- used. Levels at departure are a share of the levels at arrival.
update effects
set effect = 0.5 * effect
where kind = 'dest_half_year_level';

insert into effects
select
    as_of,
    replace(kind, 'dest', 'origin') as kind,
    key,
    departure_share() * effect as effect
from effects
where kind in ('dest_level', 'dest_half_year_level', 'dest_carrier_level')
