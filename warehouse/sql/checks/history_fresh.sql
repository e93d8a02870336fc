-- warn: the newest month of history is more than six months behind; BTS publishes two to three months late
with
newest as (
    select max(month) as month
    from raw.lake_months
)

select month as last_month
from newest
where month < date_trunc('month', coalesce(getvariable('today')::date, current_date)) - interval 6 months
