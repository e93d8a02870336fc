import type { Cells, Routes } from './effect-groups.ts';

/**
 * Prior strength, in flights, with which an airline's usual hours are shrunk toward the airport's usual hours. If an
 * airline has this number of flights at known hours, its own hours and the airport's hours have the same weight.
 */
const AIRPORT_FLIGHTS = 100;

type Sums = { flights: number; byHour: number };

/**
 * Returns a correction of the expected log-odds for each cell; 0 for a cell with a known hour. `byHour` has the effect
 * of the hour on each cell. If the hour of a cell is unknown, its flights are assumed to leave at the airline's usual
 * hours at that airport. These hours are shrunk toward the usual hours of the whole airport. Without the correction, a
 * route with evening flights and unknown hours would seem late. The mean correction is subtracted, because the levels
 * of the months already include it.
 */
export function correctUnknownHours(
  cells: Cells,
  routes: Routes,
  byHour: Float64Array,
): Float64Array {
  const airlines = new Map<string, Sums>();
  const airports = new Map<string, Sums>();
  const isKnown = (cell: number) => !Number.isNaN(cells.hour[cell]);
  for (const [cell, flights] of cells.flights.entries()) {
    if (!isKnown(cell)) continue;
    const { origin, carrier } = routeOf(cells, routes, cell);
    const hourEffects = flights * (byHour[cell] as number);
    addToSums(airlines, origin + carrier, flights, hourEffects);
    addToSums(airports, origin, flights, hourEffects);
  }
  const all = { flights: 0, byHour: 0 };
  const more = cells.flights.map((flights, cell) => {
    const { origin, carrier } = routeOf(cells, routes, cell);
    const airport = airports.get(origin);
    if (isKnown(cell) || !airport) return Number.NaN;
    const airline = airlines.get(origin + carrier) ?? { flights: 0, byHour: 0 };
    const usual =
      (airline.byHour + (AIRPORT_FLIGHTS * airport.byHour) / airport.flights) /
      (airline.flights + AIRPORT_FLIGHTS);
    all.flights += flights;
    all.byHour += flights * usual;
    return usual;
  });
  return more.map((usual) => (Number.isNaN(usual) ? 0 : usual - all.byHour / all.flights));
}

function routeOf({ route }: Cells, routes: Routes, cell: number): Routes[number] {
  return routes[route[cell] as number] as Routes[number];
}

function addToSums(sums: Map<string, Sums>, key: string, flights: number, byHour: number): void {
  const sum = sums.get(key);
  if (!sum) sums.set(key, { flights, byHour });
  else {
    sum.flights += flights;
    sum.byHour += byHour;
  }
}
