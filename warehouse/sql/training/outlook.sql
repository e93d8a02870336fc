-- One row: the numbers of completed flights in each class of delay.
select
    sum(completed_count - delayed15_count)::bigint as under15_count,
    sum(delayed15_count - delayed_count)::bigint as from15to30_count,
    sum(delayed_count - delayed60_count)::bigint as from30to60_count,
    sum(delayed60_count - delayed120_count)::bigint as from60to120_count,
    sum(delayed120_count)::bigint as over120_count
from raw.route_hours
