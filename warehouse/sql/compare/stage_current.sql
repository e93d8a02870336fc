-- Moves the counts of the current version to the staged version. Another version can then be counted as the current
-- version. In this way, two versions of the lake are compared.
insert into staged_routes
from current_routes;

insert into staged_days
from current_days;

delete from current_routes;

delete from current_days
