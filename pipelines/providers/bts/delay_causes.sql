-- One row per month, carrier and airport of arrival: BTS's "Airline On-Time Statistics and Delay Causes". Columns
-- `*_ct` have numbers of late flights by cause, with fractions. Columns `*_delay` have the minutes of delay by cause.
-- Column names are those of the file.
create or replace temp view delay_causes as
select * from source
