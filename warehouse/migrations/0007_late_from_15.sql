-- Minutes from which delayed15_count of the month's route hours counts a flight. It counted more than 15 minutes, which is
-- 16 in whole minutes, until it took over the 15 minutes and more of BTS.
alter table raw.lake_months add column delayed15_from tinyint default 15;

update raw.lake_months set delayed15_from = 16;
