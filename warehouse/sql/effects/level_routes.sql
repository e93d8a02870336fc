-- One row per airline at an airport of arrival that levels tell of, numbered from 0: what levels are fitted over in place of
-- airline-routes.
create or replace temp table cell_routes as
with
routes as (
    select distinct
        carrier,
        '' as origin,
        airport as dest
    from intermediate.int_level_counts
)

select
    (row_number() over (order by carrier, dest) - 1)::integer as route,
    carrier,
    origin,
    dest
from routes
