import type { Comparison, Losses } from '../../warehouse/extract/staged-month.ts';

/**
 * Minimum share of the lake's flights that a source must have. At least this share of the lake's flights must also be
 * on days that the source has. The same applies to airports and to airlines. A source below this limit is probably
 * truncated, because BTS's corrections hardly ever change the number of flights. The limit also refuses a source that
 * lacks one large airline: in docs/data-sources.md, the months of 2018 without Southwest have only 78 or 79 % of their
 * flights.
 */
const MIN_FLIGHT_SHARE = 0.9;

/** A source is refused if it lacks an airline with at least this many flights in the month. */
const MIN_AIRLINE_FLIGHTS = 1_000;

/**
 * Largest accepted share of flights that groups lose. BTS's corrections lose far fewer flights: copies of BTS's tables
 * from different times have equal counts.
 */
export const MAX_LOSS_SHARE = 0.01;

/** In a small month, a loss of up to this many flights is accepted if it is at most a tenth of the flights. */
const MAX_LOST_FLIGHTS = 10;

/** Number of groups that a refusal names. */
export const NAMED_GROUPS = 3;

/**
 * Describes the flights and values that the lake would lose by the replacement; empty if the staged month is at least
 * as good.
 */
export function describeLosses({
  current,
  staged,
  uncovered,
  lostAirlines,
  losses,
  departureHours,
  arrivals,
  brands,
}: Comparison): string[] {
  const describeGap = (what: string, flights: number, inFile: number, inLake: number) =>
    current.flights - flights >= current.flights * MIN_FLIGHT_SHARE
      ? []
      : [
          `it lacks ${what} with ${Math.round((100 * flights) / current.flights)} % of the lake's flights (it has ${inFile}, the lake ${inLake})`,
        ];
  const isPoorer = (share: { current: number; staged: number }) =>
    share.staged < share.current * MIN_FLIGHT_SHARE;
  return [
    ...(staged.flights < current.flights * MIN_FLIGHT_SHARE
      ? [`it has ${staged.flights} flights, the lake ${current.flights}`]
      : []),
    ...(staged.days === 0 && current.days > 0 ? ['it has no dates, but the lake does'] : []),
    ...describeGap('days', uncovered.days, staged.days, current.days),
    ...describeGap('airports', uncovered.airports, staged.airports, current.airports),
    ...describeGap('airlines', uncovered.airlines, staged.airlines, current.airlines),
    ...describeLostAirlines(lostAirlines),
    ...describeLostGroups(losses, current.flights),
    ...(isPoorer(departureHours) ? ['fewer of its flights have a departure hour'] : []),
    ...(isPoorer(arrivals) ? ['fewer of its flights have an arrival delay'] : []),
    ...(isPoorer(brands) ? ['fewer of its flights have the airline on the ticket'] : []),
    ...(current.isSingle && !staged.isSingle
      ? ['it has sums of flights, the lake single flights']
      : []),
  ];
}

/** Describes the large airlines that the new month lacks, even if they have a small share of all flights. */
function describeLostAirlines(lostAirlines: Comparison['lostAirlines']): string[] {
  const largeAirlines = lostAirlines.filter(({ flights }) => flights >= MIN_AIRLINE_FLIGHTS);
  const names = largeAirlines.map(({ airline, flights }) => `${airline} (${flights} in the lake)`);
  return largeAirlines.length === 0 ? [] : [`it has no flights of ${names.join(', ')}`];
}

/** Describes the flights that groups lose; empty if the loss is small enough to be a correction. */
function describeLostGroups(losses: Losses, flights: number): string[] {
  const isSmall = losses.flights <= MAX_LOST_FLIGHTS && losses.flights <= flights * 0.1;
  const isLarge = losses.flights > flights * MAX_LOSS_SHARE && !isSmall;
  if (!isLarge && losses.halved === 0) return [];
  const unit = losses.byDay ? 'airline, airport and day' : 'airline and airport';
  const share = formatPercent(losses.flights, flights);
  const groups = losses.groups
    .slice(0, NAMED_GROUPS)
    .map(({ airline, airport, before, after }) => `${airline} at ${airport} ${before} → ${after}`);
  return [
    `counted by ${unit}, ${losses.flights} of the lake's ${flights} flights (${share}) are missing, mainly ${groups.join(', ')}`,
  ];
}

/** Formats the share of a count as a percentage, with a decimal below 10 %. */
export function formatPercent(part: number, whole: number): string {
  const percent = (100 * part) / whole;
  return `${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`;
}
