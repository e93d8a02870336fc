-- Levels as they are served, after the levels of now: an airport's by half-year, key JFKS or JFKW, half of what its half-years
-- were found to differ being believed; and those of departure, which are a share of those of arrival.
insert into effects
with
halves as (
    select unnest(['S', 'W']) as half_year
),

airports as (
    select
        airports.as_of,
        airports.key || halves.half_year as key,
        airports.effect + 0.5 * coalesce(by_half.effect, 0) as effect
    from effects as airports
    cross join halves
    left join effects as by_half
        on by_half.as_of = airports.as_of
        and by_half.kind = 'dest_half_year'
        and by_half.key = airports.key || halves.half_year
    where airports.kind = 'dest_year'
)

select
    as_of,
    'dest_level' as kind,
    key,
    effect
from airports;

insert into effects
select
    as_of,
    replace(kind, 'dest', 'origin') as kind,
    key,
    departure_share() * effect as effect
from effects
where kind in ('dest_level', 'dest_carrier_level');

delete from effects
where kind in ('dest_year', 'dest_half_year')
