-- One row per month, carrier, origin, dest, scheduled departure hour and delay basis. The source is a file of the
-- bundled history. It contains the lake's months of one provider. Counts that the provider does not publish are null.
create or replace temp view provider_sums as
select
    try_cast(month as date) as month,
    month as month_text,
    carrier,
    origin,
    dest,
    as_hour(as_number(crs_dep_hour)) as crs_dep_hour,
    delay_basis,
    as_count(as_number(flight_count)) as flight_count,
    as_count(as_number(cancelled_count)) as cancelled_count,
    as_count(as_number(diverted_count)) as diverted_count,
    as_count(as_number(completed_count)) as completed_count,
    as_count(as_number(delayed15_count)) as delayed15_count,
    as_count(as_number(delayed_count)) as delayed_count,
    as_count(as_number(delayed60_count)) as delayed60_count,
    as_count(as_number(delayed120_count)) as delayed120_count,
    as_count(as_number(delayed180_count)) as delayed180_count,
    as_count(as_number(delayed360_count)) as delayed360_count,
    as_count(as_number(delayed_min_sum)) as delayed_min_sum,
    1 as period_months,
    false as is_both_directions,
    case
        when delay_basis not in ('arrival', 'departure') then reject('delay_basis', delay_basis, 'invalid_delay_basis')
    end as exclusion
from source
