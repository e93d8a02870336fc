import { FLIGHT_FORMS } from '../../../pipelines/providers/index.ts';
import type { FlightForm } from '../../../warehouse/extract/form.ts';
import { OBSERVATION_COLUMNS } from '../../../pipelines/weather/observations.ts';

/** Description of each reason for rejecting a row. */
export const ROW_REASONS: Readonly<Record<string, string>> = {
  broken_quotes: 'a quoted value of a CSV line has no end, or text after its end',
  duplicate_key:
    'a second row of the same month, airline and airport; if rows count flights, a second row of the same month, airline, route and hour',
  future_date: 'later than tomorrow, or an unfinished month of the delay-cause table',
  invalid_airport: 'not three capital letters',
  invalid_arr_delay: 'not whole minutes, or more than a day early, or more than seven days late',
  invalid_arr_time: 'not a time hhmm',
  invalid_brand: 'not two capital letters or digits',
  invalid_cancellation_code: 'not A, B, C or D',
  invalid_cancelled: 'not 0 or 1',
  invalid_carrier: 'not two capital letters or digits',
  invalid_cause: 'not a number of flights: 0 or more, fractions allowed',
  invalid_count: 'not a whole number, or a part larger than the whole',
  invalid_crs_arr_time: 'not a time hhmm',
  invalid_crs_dep_hour: 'not an hour, 0 to 23',
  invalid_crs_dep_time: 'not a time hhmm',
  invalid_date:
    'not a calendar day from 1987 on, written 2018-07-04, 7/4/2018 or 7/4/2018 12:00:00 AM',
  invalid_delay_basis: 'not arrival or departure',
  invalid_delayed_min_sum: 'less than 30 minutes per delayed flight',
  invalid_dep_delay: 'not whole minutes, or more than a day early, or more than seven days late',
  invalid_dep_time: 'not a time hhmm',
  invalid_dest: 'not three capital letters',
  invalid_distance: 'not miles above 0 and up to 12,500',
  invalid_diverted: 'not 0 or 1',
  invalid_minutes: 'not minutes, 0 or more',
  invalid_month: 'not a month, 1 to 12',
  invalid_origin: 'not three capital letters',
  invalid_weekday: 'not 1 (Monday) to 7',
  invalid_year: 'not a year from 1987 on; YEAR= gives the year if rows have none',
  not_utf8: 'the line is not UTF-8',
  same_origin_dest: 'origin and destination are the same airport',
  unknown_airline_name: 'not a name that BTS uses for an airline',
  unparseable_line: 'the line is not CSV',
  wrong_column_count: 'more or fewer values than the header has columns',
};

const CALENDARS: Record<FlightForm['calendar'], string> = {
  date: 'its day',
  year_month: 'year and month',
  month: 'its month; `YEAR=` or the file name gives the year',
};

const COUNTS: Record<Exclude<FlightForm['kind'], 'flights'>, string> = {
  route_hours: 'Each row counts flights.',
  delay_causes:
    "Each row of BTS's delay-cause table counts the flights of an airline to an airport in a month, with the causes of their delays.",
};

/** Describes what a row of the form contains. */
function rowText({ kind, calendar, hasTimes }: FlightForm): string {
  if (kind !== 'flights') return COUNTS[kind];
  const flight = `Each row is a flight with ${CALENDARS[calendar]}.`;
  return hasTimes === false ? `${flight} Rows have no times of day.` : flight;
}

/** Describes whether delays are measured at arrival or at departure. */
function basisText({ kind, required, delayBasis }: FlightForm): string {
  if (required.includes('delay_basis')) {
    return '`delay_basis` says whether the delays of a row are measured at arrival or at departure.';
  }
  if (delayBasis !== 'mixed') return `Delays are measured at ${delayBasis}.`;
  return kind === 'flights'
    ? 'A delay is measured at arrival if the row has the times of arrival, otherwise at departure.'
    : 'Delays of flights to the airport are measured at arrival, of flights from it at departure.';
}

/** Returns the text of docs/sources.md. */
export function sourcesPage(): string {
  const forms = FLIGHT_FORMS.map((form) =>
    [
      `### ${form.name}\n`,
      `${rowText(form)} ${basisText(form)}\n`,
      `Required: ${asCode(form.required)}.\n`,
      ...(form.optional.length > 0 ? [`Optional: ${asCode(form.optional)}.\n`] : []),
    ].join('\n'),
  );
  const reasons = Object.entries(ROW_REASONS).map(([name, words]) => `| \`${name}\` | ${words} |`);
  const columns = Object.entries(OBSERVATION_COLUMNS).map(
    ([name, { synonyms, meaning }]) =>
      `| \`${name}\` | ${synonyms.map((one) => `\`${one}\``).join(', ')} | ${meaning} |`,
  );
  return `# File formats

Every file format that the service reads, its columns, and why files and rows are refused or rejected. For data engineers.
\`npm run docs:catalogue\` writes this page from the code. [Operations](operations.md#ingest) describes how to ingest files;
[Data sources](data-sources.md) describes where the data come from.

A file is CSV (plain, gzip or in a zip of one file) or Parquet. Files of \`hkia_flights\` are JSON answers of the airport (plain or gzip), and
\`anac_vra_commas\` may be JSON too. A file is recognised by its first bytes and its header or, for JSON, by its layout. Columns may be in any
order, and case, accents, spaces and underscores do not matter. \`a\` or \`b\` means that one of the columns is enough.

## Flights

${forms.join('\n')}
## Refused files and rejected rows

The whole file is refused, and nothing changes, in these cases:

- a file of another format, an unknown header or an unknown layout of JSON. If the header is unknown, the message names the form that fits
  best, and the columns of this form that the file lacks,
- a damaged, cut or encrypted file, or a file without rows,
- a CSV with a line break inside a quoted value,
- a file that differs from \`SHA256=\` or from the \`.sha256\` beside it,
- rows without a year, if neither \`YEAR=\` nor the file name gives the year,
- a file with more than 1 % of rows without a month.

**Damage.** A zip and a gzip file have checksums, which are verified to the last byte. A Parquet file may have a checksum in each page
(\`write_page_checksum=True\` in pyarrow; the default in Spark). If the pages have checksums, each page is compared with its checksum before
any row is read. Without checksums, as in files of DuckDB or of pyarrow with its defaults, a flipped bit often gives another valid value.
Counts and statistics of the file do not show this, so only \`SHA256=\` or a \`.sha256\` file detects such damage. Files that the service
has written are always compared with the sha256 in their manifest before they are loaded.

One month of a file is refused, and the lake keeps its current version, in these cases: more than 1 % rejected rows, or
[a month poorer than the one in the lake](operations.md#ingest). Refusals are never retried: the same file would be refused again.

A rejected row is stored with its line, column and value (\`make sql Q="from rejects"\`). In a CSV, also inside a zip or gzip file, \`line\` is
the number of the line. Line 1 is the first line of the file, usually the header. Blank lines are counted too, and so is a line above the
header. In a Parquet file, \`line\` is the number of the row; the first row is 1. A JSON file has one or several answers with flights.
There, \`line\` is the number of the flight; the first flight of the first answer is 1, and later answers continue the numbers. The reasons
are those below, and [those of other providers](providers.md#reasons-of-rejected-rows):

| reason | meaning |
|---|---|
${reasons.join('\n')}

## Weather

\`make backfill-weather SOURCE=file\` reads hourly observations from CSV, plain or gzip:

| column | other names | meaning |
|---|---|---|
${columns.join('\n')}

Hours are UTC unless \`ZONE=\` names another clock: \`local\` (each airport's own), a name (\`America/New_York\`) or an offset
(\`-05:00\`). A file whose hours contradict that clock is refused; the message names the clock that fits, if there is one. The check needs
two weeks or more of data with a clear daily cycle. The temperature must then be highest in the afternoon, by solar time. If the file has no
temperatures, the wind must be strongest in the afternoon. \`FORCE=1\` accepts the file anyway.

\`NA\` and an empty cell mean that the value is unknown. A file with a line without airport or hour is refused. Any other impossible value
counts as unknown.
`;
}

function asCode(names: readonly string[]): string {
  return names
    .map((name) =>
      name
        .split('|')
        .map((one) => `\`${one}\``)
        .join(' or '),
    )
    .join(', ');
}
