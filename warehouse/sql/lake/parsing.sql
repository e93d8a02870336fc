-- Macros that parse the text of a source, one per kind of value.
-- R writes NA for a missing value.
create or replace temp macro is_absent(text) as text is null or trim(text) in ('', 'NA');

-- A trimmed text, or null if the value is missing.
create or replace temp macro as_present(text) as case when text <> '' and text <> 'NA' then text end;

-- Some files write the number of a flight with decimals: 702.0.
create or replace temp macro as_flight_number(text) as
    case when contains(text, '.') then regexp_replace(text, '\.0+$', '') else text end;

-- Whether a text is the IATA code of an airline; false for a missing value. `glob` takes half the time of a regular
-- expression.
create or replace temp macro is_carrier(text) as coalesce(text glob '[A-Z0-9][A-Z0-9]', false);

create or replace temp macro is_airport(text) as coalesce(text glob '[A-Z][A-Z][A-Z]', false);

create or replace temp macro as_number(text) as try_cast(text as double);

create or replace temp macro as_year(number) as
    case when number = trunc(number) and number >= 1987 and number <= 2100 then number::integer end;

create or replace temp macro as_month(number) as
    case when number = trunc(number) and number >= 1 and number <= 12 then number::integer end;

-- Parses an ISO weekday: 1 is Monday, as in BTS's files.
create or replace temp macro as_weekday(number) as
    case when number = trunc(number) and number >= 1 and number <= 7 then number::tinyint end;

-- Accepts ISO dates and the format of BTS downloads: 2/1/2021 12:00:00 AM.
create or replace temp macro as_day(text) as
    coalesce(try_cast(text as date), try_strptime(text, ['%m/%d/%Y %I:%M:%S %p', '%m/%d/%Y'])::date);

-- BTS data starts in 1987.
create or replace temp macro as_flight_date(day) as
    case when day >= date '1987-01-01' and day < date '2101-01-01' then day end;

create or replace temp macro as_date(text) as as_flight_date(as_day(text));

-- Local wall clock as hhmm. 2400 is midnight at the end of `flight_date`; it becomes 0, and `flight_date` stays the
-- same.
create or replace temp macro as_hhmm(number) as
    case
        when number = trunc(number) and number >= 0 and number <= 2400 and number % 100 < 60
            then (number % 2400)::smallint
    end;

-- Whole minutes. A flight that is more than a day early has a wrong date. The longest delay in BTS data is about three
-- days, so more than seven days is an error.
create or replace temp macro as_delay_min(number) as
    case when number = trunc(number) and number >= -1440 and number <= 10080 then number::smallint end;

create or replace temp macro as_flag(number) as
    case number when 0 then false when 1 then true end;

-- Number of a flag, which may be written as a word. A missing flag is 0. Any other text is unchanged, so that the
-- checks reject it.
create or replace temp macro flag_number(text) as
    case
        when is_absent(text) or lower(trim(text)) in ('false', 'no', 'n') then '0'
        when lower(trim(text)) in ('true', 'yes', 'y') then '1'
        else trim(text)
    end;

-- Statute miles. Half the circumference of the earth is 12,450 miles.
create or replace temp macro as_distance_mi(number) as
    case when number > 0 and number <= 12500 then round(number)::smallint end;

create or replace temp macro as_hour(number) as
    case when number = trunc(number) and number >= 0 and number <= 23 then number::tinyint end;

-- Parses a count in a file of sums.
create or replace temp macro as_count(number) as
    case when number = trunc(number) and number >= 0 and number <= 2147483647 then number::bigint end;

-- Parses minutes, or fractions of flights, in the delay-cause table.
create or replace temp macro as_amount(number) as
    case when number >= 0 and number <= 2147483647 then number end;

-- Thousands may be separated by commas.
create or replace temp macro as_grouped_count(text) as as_count(as_number(replace(text, ',', '')));

-- Normalises a name: upper and lower case and repeated spaces do not matter.
create or replace temp macro as_name(text) as upper(regexp_replace(trim(text), '\s+', ' ', 'g'));

create or replace temp macro reject(column_name, source_value, reason) as
    {'column_name': column_name, 'value': source_value, 'reason': reason};

-- Returns the great-circle distance in kilometres.
create or replace temp macro distance_km(latitude, longitude, to_latitude, to_longitude) as
    2 * 6371 * asin(sqrt(
        power(sin(radians(to_latitude - latitude) / 2), 2)
        + cos(radians(latitude)) * cos(radians(to_latitude)) * power(sin(radians(to_longitude - longitude) / 2), 2)
    ));

-- Estimates the scheduled departure of a flight whose arrival is known, in local time at the origin. The flight takes
-- 40 minutes, plus an hour per 780 km.
create or replace temp macro estimated_departure(
    arrival, origin_zone, dest_zone, latitude, longitude, to_latitude, to_longitude
) as
    timezone(
        origin_zone,
        timezone(dest_zone, arrival)
        - to_minutes(round(40 + distance_km(latitude, longitude, to_latitude, to_longitude) / 13)::bigint)
    );

-- Whether a time includes a date, and whether it includes an offset from UTC.
create or replace temp macro has_date(text) as coalesce(length(trim(text)) > 8, false);

create or replace temp macro has_offset(text) as
    has_date(text) and regexp_matches(trim(text), '(Z|[+-]\d\d:?\d\d)$');

-- Local wall clock of a time. The time may lack its date, or may have an offset from UTC.
create or replace temp macro local_time(text, day, zone) as
    case
        when is_absent(text) then null
        when has_offset(text) then timezone(zone, try_cast(trim(text) as timestamptz))
        when has_date(text) then try_cast(trim(text) as timestamp)
        else try_cast(
            day || ' ' || case
                when contains(text, ':') then trim(text) else lpad(trim(text), 4, '0')[:2] || ':' || lpad(trim(text), 4, '0')[3:]
            end as timestamp
        )
    end;

-- Adds the date to a scheduled arrival that has only a time. The arrival is then between three hours before and 21
-- hours after the scheduled departure. It may be before the departure, because a time zone may be wrong. If the
-- scheduled departure is unknown, but the actual arrival has a date, the scheduled arrival gets the date nearest to the
-- actual arrival.
create or replace temp macro arrival_on_its_day(
    arrival, origin_zone, dest_zone, departure, actual, actual_text
) as
    coalesce(
        arrival - to_days(floor(
            (date_diff('minute', timezone(origin_zone, departure), timezone(dest_zone, arrival)) + 180) / 1440
        )::integer),
        case when has_date(actual_text) then arrival + to_days(round(date_diff('minute', arrival, actual) / 1440)::integer) end,
        arrival
    );

-- Minutes from the scheduled to the actual time. If the actual time has no date, the date with the smallest difference
-- is used.
create or replace temp macro delay_between(planned, actual, actual_text) as
    case
        when has_date(actual_text) then date_diff('minute', planned, actual)
        else (date_diff('minute', planned, actual) % 1440 + 2160) % 1440 - 720
    end;

-- Parses a time written as dd/mm/yyyy hh:mm, with or without seconds, or as ISO.
create or replace temp macro brasilia_time(text) as
    coalesce(
        try_strptime(trim(text), ['%d/%m/%Y %H:%M', '%d/%m/%Y %H:%M:%S', '%Y-%m-%d %H:%M:%S', '%Y-%m-%d %H:%M'])
    );
