-- One row per month, carrier and airport of arrival: BTS's "Airline On-Time Statistics and Delay Causes". `*_ct` are
-- numbers of late flights by cause, with fractions; `*_delay` are their minutes. Column names are those of the file.
create or replace temp view delay_causes as
select * from source
