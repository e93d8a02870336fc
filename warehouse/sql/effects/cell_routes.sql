-- One row per airline-route of the cells that are fitted next, numbered from 0; origin is empty where cells are of the airport
-- of arrival alone.
create or replace temp table cell_routes as
with
routes as (
    select distinct
        carrier,
        coalesce(origin, '') as origin,
        dest
    from effect_cells
)

select
    row_number() over (order by carrier, origin, dest) - 1 as route,
    carrier,
    origin,
    dest
from routes
