import { brandOf, departuresOf, existingOperators } from '../../models/brands.ts';
import { isLongBefore, newestOf, routeAirlines } from '../../models/current-airlines.ts';
import type { FlightQuery } from '../../models/types.ts';
import { HOURS } from '../../warehouse/ground/hours.ts';
import { sum } from '../../warehouse/ground/numbers.ts';
import type { FlightStats, RecordMonths, ScoreStore } from '../../warehouse/store/types.ts';

type AirlineRoute = Pick<FlightQuery, 'origin' | 'dest' | 'carrier' | 'isBrand'>;

/**
 * Returns a function that takes an hour and returns a share: the part of the airline's flights on the route that
 * departs in this hour. Returns undefined if the departure hours are unknown.
 */
export function hourShare(
  route: AirlineRoute,
  store: ScoreStore,
): ((hour: number) => number) | undefined {
  const flights = departuresOf(route, store);
  if (!flights) return undefined;
  const all = sum(flights);
  return (hour) => (all === 0 ? 0 : (flights[hour] as number) / all);
}

const DAYS_PER_MONTH = 30.4;

/**
 * Returns the airline's usual flights per day on the route in each local hour. Each operator of a brand is averaged over
 * its own months, because operators often start at different times. Empty if the departure hours are unknown, or if the
 * airline left the route.
 */
export function dailyFlights(route: AirlineRoute, store: ScoreStore): number[] {
  const operators = operatedRecords(route, store);
  if (operators.length === 0) return [];
  const daily = operators.map(({ stats, months, hours }) => {
    const monthCount = store.manifest.months.filter(
      (month) => month >= months.first && month <= months.last,
    ).length;
    const perDay = stats.flightCount / (DAYS_PER_MONTH * Math.max(1, monthCount));
    const all = sum(hours);
    return (hour: number) => (all === 0 ? 0 : (perDay * (hours[hour] as number)) / all);
  });
  return HOURS.map((hour) => sum(daily.map((inHour) => inHour(hour))));
}

type OperatedRecord = { stats: FlightStats; months: RecordMonths; hours: Float32Array };

/**
 * Returns the record of each operator that flies for the airline on the route. Leaves out operators whose last flights
 * are a year or more older than the newest flights on the route.
 */
function operatedRecords(route: AirlineRoute, store: ScoreStore): readonly OperatedRecord[] {
  const { origin, dest } = route;
  const brand = brandOf(route, store);
  const records = brand ? existingOperators(brand, store) : ownRecord(route, store);
  const newest = newestOf(
    routeAirlines(origin, dest, store).flatMap(({ record }) => record?.last ?? []),
  );
  return records.filter(({ months }) => !isLongBefore(months.last, newest));
}

/**
 * Returns the record of an airline that is not a brand, as a list. The list is empty if the departure hours are
 * unknown.
 */
function ownRecord(route: AirlineRoute, store: ScoreStore): OperatedRecord[] {
  const { origin, dest, carrier } = route;
  const stats = store.routeCarrier(origin, dest, carrier);
  const months = store.recordMonths(origin, dest, carrier);
  const hours = departuresOf(route, store);
  return stats && months && hours ? [{ stats, months, hours }] : [];
}
