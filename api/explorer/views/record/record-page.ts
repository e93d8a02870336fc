import type { RecordBody, RecordFigures } from '../../../schemas/record.ts';
import { callBox } from '../call-box.ts';
import { factList } from '../facts.ts';
import { day, figure, month as monthText, percent } from '../format.ts';
import { html } from '../html.ts';
import { forecastDots } from '../model/forecast-dots.ts';
import type { Frame, Page } from '../page.ts';
import { recordTable } from './record-table.ts';

export type RecordData = {
  record: RecordBody;
  /** Figures of all months together, by provider and by airline. */
  groups: RecordFigures[];
};

/** The page that compares past forecasts with actual flights. */
export const recordPage: Page<RecordData> = {
  path: '/record',
  source: () => '/explorer/record',
  title: () => 'Were the forecasts right?',
  summary: () => 'Forecasts of every night, compared with the actual flights months later.',
  view,
};

const KINDS = [
  {
    kind: 'live',
    title: 'Live forecasts',
    note: 'Frozen before the flights. The proof above would show any later change.',
  },
  {
    kind: 'replayed',
    title: 'Replayed forecasts',
    note: 'Made later, by today’s method, from the data before each month. They show the method, not what was published at the time. Weather forecasts and news of the past are not included.',
  },
] as const;

function view({ record, groups }: RecordData, frame: Frame) {
  const { figures, reliability } = record;
  return html`<h1>Were the forecasts right?</h1>
    <p class="lead">${leadOf(record, frame)}</p>
    ${chainOf(record, frame)}
    ${KINDS.map(({ kind, title, note }) => {
      const isKind = (one: { kind: string }) => one.kind === kind;
      const rows = figures.filter(isKind);
      if (rows.length === 0) return undefined;
      return html`<section aria-labelledby=${kind}>
        <h2 id=${kind}>${title}</h2>
        <p class="note">${note}</p>
        <div class="pictures">${reliability.filter(isKind).map((one) => curve(one, frame))}</div>
        ${recordTable({ caption: `${title} by month`, first: 'Month', rows: byMonth(rows, frame) }, frame)}
        ${recordTable({ caption: `${title} by provider and airline`, first: 'Flights of', rows: byGroup(groups.filter(isKind)) }, frame)}
      </section>`;
    })}
    ${figures.length > 0 && html`<p class="note">${WORDS}</p>`}
    <p>
      Download: <a href="/api/record?format=csv&months=120" download>all months</a>, ${' '}<a
        href="/api/record?format=csv&by=airline"
        download
        >by airline</a
      >, ${' '}<a href="/api/record?format=csv&by=provider" download>by provider</a> (CSV).
    </p>
    ${callBox(frame.site, [{ title: 'Record of forecasts', path: '/api/record' }])}`;
}

const WORDS =
  'A flight is late or cancelled if it arrives more than 30 minutes late or does not fly. The value after ± is one standard error. It is computed over days, because flights of one day share their weather. Brier score: mean squared error, lower is better. AUC: given one late and one on-time flight, how often the late one has the higher forecast.';

function leadOf(
  { frozen, live_since: liveSince, first_score_expected: expected }: RecordBody,
  { locale }: Frame,
): string {
  if (liveSince !== null) {
    return `Every night, forecasts for the same airlines, routes and hours are frozen. The first flights in the comparison are from ${monthText(liveSince, locale)}.`;
  }
  if (frozen === null || expected === null) {
    return 'No live forecast has been compared with actual flights yet. The next nightly run saves the first forecasts. Saved forecasts cannot be changed. About three months later, they are compared with the actual flights.';
  }
  return `No live forecast has been compared with actual flights yet. The first comparison is expected in ${monthText(expected, locale)}, when the flight records of ${monthText(frozen.first_flight_date?.slice(0, 7) ?? expected, locale)} are published.`;
}

function chainOf({ frozen }: RecordBody, { locale }: Frame) {
  if (frozen === null) return undefined;
  return factList([
    ['Frozen forecasts', figure(frozen.forecasts, locale)],
    [
      'Nights',
      `${figure(frozen.nights, locale)}, from ${day(frozen.first_night, locale)} to ${day(frozen.last_night, locale)}`,
    ],
    ['Proof (SHA-256)', html`<code class="hash">${frozen.head}</code>`],
  ]);
}

function horizonText(horizonDays: number | null): string {
  if (horizonDays === null) return 'start of month';
  return horizonDays === 1 ? '1 day ahead' : `${horizonDays} days ahead`;
}

function curve(
  { kind, horizon_days: days, bins }: RecordBody['reliability'][number],
  { locale }: Frame,
) {
  const share = (value: number) => percent(value, locale, 0);
  return forecastDots(
    {
      id: `${kind}-${days ?? 'month'}`,
      title: `Reliability, ${horizonText(days)}`,
      note: 'Horizontal: forecast. Vertical: actual share late or cancelled. On the line, both are equal.',
      group: 'Forecast',
      dots: bins
        .filter(({ flights }) => flights >= MIN_FLIGHTS)
        .map((bin) => ({
          name: `${percent(bin.from, locale)} to ${percent(bin.to, locale)}`,
          ...bin,
        })),
    },
    share,
    locale,
  );
}

/** Minimum number of flights. With fewer flights, the share is mostly chance. */
const MIN_FLIGHTS = 50;

/** Table by month, newest first. For each horizon, a row for all months comes first. */
function byMonth(rows: readonly RecordFigures[], { locale }: Frame) {
  return rows
    .toSorted(
      (a, b) =>
        (a.horizon_days ?? 0) - (b.horizon_days ?? 0) ||
        (b.month ?? '9999').localeCompare(a.month ?? '9999'),
    )
    .map((row) => ({
      name: row.month === null ? 'All months' : monthText(row.month, locale),
      horizon: horizonText(row.horizon_days),
      row,
    }));
}

function byGroup(rows: readonly RecordFigures[]) {
  return rows.map((row) => ({
    name: row.airline ?? row.provider ?? '',
    horizon: horizonText(row.horizon_days),
    row,
  }));
}
