-- One row per airline and airport of arrival in the level counts, numbered from 0. For levels, these pairs take the
-- place of airline-routes.
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
