import type { ForecastRecord, RecordRow } from '../../warehouse/live/forecast-record.ts';
import { firstDay, monthOf } from '../../warehouse/ground/dates.ts';
import { round } from '../../warehouse/ground/numbers.ts';
import type { RecordBody, RecordFigures, RecordParams } from '../schemas/record.ts';

/** BTS publishes a month two to three months after its end. */
const MONTHS_TO_PUBLICATION = 3;

/** If `months` is absent, all months are selected. */
type Selection = Omit<RecordParams, 'format' | 'months'> & { months?: number };

/** Builds the body from the published record. Before the first publication, the body is empty. */
export function recordBodyOf(record: ForecastRecord | undefined, wanted: Selection): RecordBody {
  const candidates = (record?.rows ?? []).filter((row) => isWanted(row, wanted));
  const rows = candidates.filter(selectMonths(candidates, wanted));
  const months = (record?.rows ?? []).flatMap(({ kind, month }) =>
    kind === 'live' && month !== ALL ? [month] : [],
  );
  const [liveSince] = months.toSorted();
  const firstFlightDate = record?.firstFlightDate ?? null;
  return {
    scored_at: record?.scoredAt ?? null,
    frozen: frozenOf(record),
    live_since: liveSince ?? null,
    first_score_expected:
      liveSince === undefined && firstFlightDate !== null
        ? monthOf(firstDay(firstFlightDate, MONTHS_TO_PUBLICATION))
        : null,
    figures: rows.map(figuresOf),
    reliability: rows
      .filter(({ month, provider, carrier }) => {
        const { by: _, ...alone } = wanted;
        return (
          month === (alone.month ?? ALL) &&
          provider === (alone.provider ?? ALL) &&
          carrier === (alone.airline ?? ALL)
        );
      })
      .map(({ kind, horizon_days, bins }) => ({
        ...{ kind, horizon_days },
        bins: bins.map((bin) => ({
          ...bin,
          forecast: round(bin.forecast, DIGITS),
          actual: round(bin.actual, DIGITS),
        })),
      })),
  };
}

const ALL = 'all';

/**
 * Returns a filter for rows. With `months`, the filter selects the newest months of each kind, and the rows about all
 * months together. Without `months`, the filter selects every row. `isWanted` has already selected a requested month.
 */
function selectMonths(
  rows: readonly RecordRow[],
  { month: requested, months: count }: Selection,
): (row: RecordRow) => boolean {
  if (requested !== undefined || count === undefined) return () => true;
  const newest = new Set<string>();
  for (const [kind, own] of Map.groupBy(rows, (row) => row.kind)) {
    const months = [...new Set(own.map(({ month }) => month))].filter((month) => month !== ALL);
    for (const month of months.toSorted().slice(-count)) newest.add(`${kind} ${month}`);
  }
  return ({ kind, month }) => month === ALL || newest.has(`${kind} ${month}`);
}
const DIGITS = 5;

function frozenOf(record: ForecastRecord | undefined): RecordBody['frozen'] {
  if (!record?.chain) return null;
  const { nights, firstNight, lastNight, head } = record.chain;
  return {
    ...{
      forecasts: record.forecasts,
      nights,
      first_night: firstNight,
      last_night: lastNight,
      head,
    },
    first_flight_date: record.firstFlightDate,
  };
}

function isWanted(
  row: RecordRow,
  { kind, outcome, horizon, month, airline, provider, by }: Selection,
) {
  if (row.outcome !== outcome || (kind !== undefined && row.kind !== kind)) return false;
  if (horizon !== undefined && row.horizon_days !== horizon) return false;
  if (month !== undefined && row.month !== month) return false;
  const isGroup = (value: string, selected: string | undefined, isListed: boolean) =>
    selected !== undefined ? value === selected : (value !== ALL) === isListed;
  return (
    isGroup(row.carrier, airline, by === 'airline') &&
    isGroup(row.provider, provider, by === 'provider')
  );
}

const MEASURES = [
  ...(['forecast', 'actual', 'level', 'brier', 'reliability', 'resolution'] as const),
  ...(['uncertainty', 'log_loss', 'auc'] as const),
];

function figuresOf(row: RecordRow): RecordFigures {
  const { kind, outcome, horizon_days, month, provider, carrier, flight_count, block_count } = row;
  const values = MEASURES.flatMap((name) =>
    ([name, `${name}_noise`] as const).map((one) => {
      const value = row[one];
      return [one, value === null ? null : round(value, DIGITS)];
    }),
  );
  return {
    ...{ kind, outcome, month: nullIfAll(month), horizon_days },
    ...{ provider: nullIfAll(provider), airline: nullIfAll(carrier) },
    ...{ flights: flight_count, blocks: block_count },
    ...(Object.fromEntries(values) as Pick<RecordFigures, (typeof MEASURES)[number]>),
  } as RecordFigures;
}

function nullIfAll(value: string): string | null {
  return value === ALL ? null : value;
}

/**
 * Formats the figures as CSV with a header. Null becomes an empty cell. Quotes are not needed, because no value
 * contains a comma or a quote.
 */
export function recordCsv({ figures }: RecordBody): string {
  const names = Object.keys(figures[0] ?? { kind: '' }) as (keyof RecordFigures)[];
  const lines = figures.map((row) => names.map((name) => row[name] ?? '').join(','));
  return `${[names.join(','), ...lines].join('\n')}\n`;
}
