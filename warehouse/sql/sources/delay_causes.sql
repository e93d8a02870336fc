-- One row per month, carrier and airport of arrival: BTS's "Airline On-Time Statistics and Delay Causes".
-- `*_ct` are late flights by cause, in fractions, `*_delay` their minutes; the file's own words are kept.
create or replace temp view delay_causes as
select * from source
