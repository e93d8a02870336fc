-- a slot of a record has more late flights than flights, or the slot does not exist
--   error: any row: the API would show the wrong hour or month
--   warn: never: every such row is an error
select
    kind,
    code,
    slot
from marts.record_cells
where
    delayed_count > completed_count
    or delayed_count < 0
    or slot < 0
    or slot >= case kind when 'route' then 36 when 'origin_weekday' then 168 else 288 end
