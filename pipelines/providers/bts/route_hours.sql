-- One row per month, carrier, route and scheduled departure hour. The source is the lake's own sums over flights, with
-- the column names of this project.
create or replace temp view route_hours as
select * from source
