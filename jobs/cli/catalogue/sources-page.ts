import { FLIGHT_FORMS } from '../../../pipelines/flights/forms.ts';
import type { FlightForm } from '../../../pipelines/flights/form.ts';
import { OBSERVATION_COLUMNS } from '../../../pipelines/weather/observations.ts';

/** Why a row is rejected, in words, by the reason that stands with it. */
export const ROW_REASONS: Readonly<Record<string, string>> = {
  broken_quotes: 'a quoted value of a CSV line does not end, or goes on after its end',
  duplicate_key: 'a second row of the same month, airline and airport (and route, hour)',
  future_date: 'later than tomorrow, or a month of the delay-cause table that is not over',
  invalid_airport: 'no three capital letters',
  invalid_arr_delay: 'no whole minutes, more than a day early or more than seven days late',
  invalid_arr_time: 'no time hhmm',
  invalid_cancellation_code: 'not A, B, C or D',
  invalid_cancelled: 'not 0 or 1',
  invalid_carrier: 'no two capital letters or digits',
  invalid_cause: 'no flights, in fractions, 0 or more',
  invalid_count: 'no whole number, or more of a part than of the whole',
  invalid_crs_arr_time: 'no time hhmm',
  invalid_crs_dep_hour: 'no hour, 0 to 23',
  invalid_crs_dep_time: 'no time hhmm',
  invalid_date:
    'no day of the calendar from 1987 on, as 2018-07-04, 7/4/2018 or 7/4/2018 12:00:00 AM',
  invalid_delay_basis: 'not arrival or departure',
  invalid_delayed_min_sum: 'less than 30 minutes a delayed flight',
  invalid_dep_delay: 'no whole minutes, more than a day early or more than seven days late',
  invalid_dep_time: 'no time hhmm',
  invalid_dest: 'no three capital letters',
  invalid_distance: 'no miles above 0 and up to 12,500',
  invalid_diverted: 'not 0 or 1',
  invalid_minutes: 'no minutes, 0 or more',
  invalid_month: 'no month, 1 to 12',
  invalid_origin: 'no three capital letters',
  invalid_weekday: 'not 1 (Monday) to 7',
  invalid_year: 'no year from 1987 on; YEAR= tells it where rows do not',
  not_utf8: 'the line is not UTF-8',
  same_origin_dest: 'from an airport to itself',
  unknown_airline_name: 'a name that BTS gives no airline',
  unparseable_line: 'a line that is no CSV',
  wrong_column_count: 'more or fewer values than the header has columns',
};

const KINDS: Record<FlightForm['kind'], string> = {
  flights: 'single flights',
  route_hours: 'sums of flights',
  delay_causes: 'the delay-cause table',
};

const CALENDARS: Record<FlightForm['calendar'], string> = {
  date: 'the day',
  year_month: 'year and month',
  month: 'the month; `YEAR=` or the file name says the year',
};

/** The page of docs/sources.md. */
export function sourcesPage(): string {
  const forms = FLIGHT_FORMS.map((form) =>
    [
      `### ${form.name}\n`,
      `Rows are ${KINDS[form.kind]} and tell ${CALENDARS[form.calendar]}; delays are those at ${form.delayBasis}${form.hasTimes === false ? '; no times of day' : ''}.\n`,
      `Needed: ${asCode(form.required)}.\n`,
      ...(form.optional.length > 0
        ? [`Read where they are there: ${asCode(form.optional)}.\n`]
        : []),
    ].join('\n'),
  );
  const reasons = Object.entries(ROW_REASONS).map(([name, words]) => `| \`${name}\` | ${words} |`);
  const columns = Object.entries(OBSERVATION_COLUMNS).map(
    ([name, { synonyms, meaning }]) =>
      `| \`${name}\` | ${synonyms.map((one) => `\`${one}\``).join(', ')} | ${meaning} |`,
  );
  return `# Sources

Every form of file that is read, its columns, and what is refused and why. Written by \`npm run docs:catalogue\` from the code;
[operations](operations.md#ingest) says how files are ingested, [data sources](data-sources.md) whose data they are.

A file is CSV (plain, gzip or in a zip of one file) or Parquet, known by its first bytes and its header, in any case and order of the
columns. \`a\` or \`b\` stands for columns of which one is enough.

## Flights

${forms.join('\n')}
## What is refused

A file as a whole, and nothing changes: an unknown header (the columns missing of the nearest form are named), a damaged or cut file, one
that is not what \`SHA256=\` or the \`.sha256\` beside it says, one without rows, or with more than 1 % of rows that tell no month. A month of it,
and what was there stays: more than 1 % of its rows are rejected, or [it is not as good as what the lake holds](operations.md#ingest). None of it is
tried again: the same file would be refused again.

A row, which is kept with its line, column and value (\`make sql Q="from rejects"\`):

| reason | what is wrong |
|---|---|
${reasons.join('\n')}

## Weather

\`make backfill-weather SOURCE=file\` reads hourly observations from CSV, plain or gzip:

| column | or | what it is |
|---|---|---|
${columns.join('\n')}

Hours are UTC unless \`ZONE=\` says whose clock they are by: \`local\` (each airport's own), a name (\`America/New_York\`) or an offset
(\`-05:00\`). A file whose hours cannot be by that clock is refused, with the one they fit: where two weeks or more have a clear daily
course, temperature (or, where it is not told, wind) has to be highest in the afternoon by the sun. \`FORCE=1\` takes it all the same.

\`NA\` and an empty cell are unknown. A line without airport or hour refuses the file. Other readings that cannot be are unknown.
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
