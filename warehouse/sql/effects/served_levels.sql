-- Levels as they are served, after the levels of now: half of what an airport's half-years were found to differ being believed;
-- and those of departure, which are a share of those of arrival.
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
