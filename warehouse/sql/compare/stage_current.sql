-- Makes the counted version of a month the staged version, so that another version can be counted as the current one.
insert into staged_routes
from current_routes;

insert into staged_days
from current_days;

delete from current_routes;

delete from current_days
