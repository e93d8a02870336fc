-- Delay in minutes from which delayed15_count of the month's route hours counts a flight. Older code counted more than
-- 15 minutes, which is 16 in whole minutes. Now 15 minutes and more count, as at BTS.
alter table raw.lake_months add column delayed15_from tinyint default 15;

update raw.lake_months set delayed15_from = 16;
