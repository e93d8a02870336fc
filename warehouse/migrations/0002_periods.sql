-- Some files of providers count whole years. Such a year is one row of raw.lake_months, with December as its month; it
-- is neither December nor another month of the year.
alter table raw.lake_months add column period_months tinyint default 1;

-- Delays, in minutes, that the source of the month does not count; their flights are inferred.
alter table raw.lake_months add column inferred_minutes integer[] default [];

-- Both are unknown for loaded months of other providers. Without its hash, a month is loaded again.
update raw.lake_months set source_sha256 = '' where regexp_matches(source_form, '^(caa|bitre|aqst)_');

-- Whether a month of raw.lake_months stands for a whole year.
create macro is_year(month) as list_contains(
    (select coalesce(list(lake_months.month), []) from raw.lake_months where lake_months.period_months = 12),
    month
);

-- The month whose age the flights of a month have on average: for a whole year, its July.
create macro middle_of(month) as case when is_year(month) then (month - interval 5 months)::date else month end;
