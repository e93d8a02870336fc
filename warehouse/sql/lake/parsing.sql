-- Macros that parse the text of a source, one per kind of value.
-- R writes NA for a missing value.
create or replace temp macro is_absent(text) as text is null or trim(text) in ('', 'NA');

-- IATA codes; a missing value is not a code.
create or replace temp macro is_carrier(text) as coalesce(regexp_full_match(text, '[A-Z0-9]{2}'), false);

create or replace temp macro is_airport(text) as coalesce(regexp_full_match(text, '[A-Z]{3}'), false);

create or replace temp macro as_number(text) as try_cast(text as double);

create or replace temp macro as_year(number) as
    case when number = trunc(number) and number >= 1987 and number <= 2100 then number::integer end;

create or replace temp macro as_month(number) as
    case when number = trunc(number) and number >= 1 and number <= 12 then number::integer end;

-- 1 is Monday, as BTS and ISO count.
create or replace temp macro as_weekday(number) as
    case when number = trunc(number) and number >= 1 and number <= 7 then number::tinyint end;

-- ISO, or the format of BTS downloads: 2/1/2021 12:00:00 AM. BTS records start in 1987.
create or replace temp macro as_date(text) as
    case
        when year(coalesce(
            try_cast(text as date),
            try_strptime(text, ['%m/%d/%Y %I:%M:%S %p', '%m/%d/%Y'])::date
        )) not between 1987 and 2100 then null
        else coalesce(
            try_cast(text as date),
            try_strptime(text, ['%m/%d/%Y %I:%M:%S %p', '%m/%d/%Y'])::date
        )
    end;

-- Local wall clock as hhmm. 2400 is midnight at the end of `flight_date`. The value 2400 becomes 0, and `flight_date`
-- does not change.
create or replace temp macro as_hhmm(number) as
    case
        when number = trunc(number) and number >= 0 and number <= 2400 and number % 100 < 60
            then (number % 2400)::smallint
    end;

-- Whole minutes. A flight more than a day early has a wrong date. The longest delay in BTS data is about three days,
-- so a delay above seven days is an error.
create or replace temp macro as_delay_min(number) as
    case when number = trunc(number) and number >= -1440 and number <= 10080 then number::smallint end;

create or replace temp macro as_flag(number) as
    case number when 0 then false when 1 then true end;

-- Statute miles; half the circumference of the earth is 12,450.
create or replace temp macro as_distance_mi(number) as
    case when number > 0 and number <= 12500 then round(number)::smallint end;

create or replace temp macro as_hour(number) as
    case when number = trunc(number) and number >= 0 and number <= 23 then number::tinyint end;

-- A count of the aggregate form.
create or replace temp macro as_count(number) as
    case when number = trunc(number) and number >= 0 and number <= 2147483647 then number::bigint end;

-- Minutes, or fractions of flights, in the delay-cause table.
create or replace temp macro as_amount(number) as
    case when number >= 0 and number <= 2147483647 then number end;

create or replace temp macro reject(column_name, source_value, reason) as
    {'column_name': column_name, 'value': source_value, 'reason': reason};
