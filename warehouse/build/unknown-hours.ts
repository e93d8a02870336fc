import type { Cells, Routes } from './effect-groups.ts';

/** Flights that an airport's own mean weighs as. */
const AIRPORT_FLIGHTS = 100;

type Sums = { flights: number; byHour: number };

/**
 * What joins the log-odds expected of each cell whose hour is unknown: its flights are expected to leave when their airline
 * does at the airport, as far as it has few flights with hours there when others do, so that no route is blamed for evenings
 * nobody wrote down. `byHour` is what the hours make of each cell. What that makes of them on average stays out: the level
 * of their months has it already.
 */
export function unknownHours(cells: Cells, routes: Routes, byHour: Float64Array): Float64Array {
  const airlines = new Map<string, Sums>();
  const airports = new Map<string, Sums>();
  const isKnown = (cell: number) => !Number.isNaN(cells.hour[cell]);
  for (const [cell, flights] of cells.flights.entries()) {
    if (!isKnown(cell)) continue;
    const { origin, carrier } = routeOf(cells, routes, cell);
    const ofHours = flights * (byHour[cell] as number);
    join(airlines, origin + carrier, flights, ofHours);
    join(airports, origin, flights, ofHours);
  }
  const all = { flights: 0, byHour: 0 };
  const more = cells.flights.map((flights, cell) => {
    const { origin, carrier } = routeOf(cells, routes, cell);
    const airport = airports.get(origin);
    if (isKnown(cell) || !airport) return Number.NaN;
    const own = airlines.get(origin + carrier) ?? { flights: 0, byHour: 0 };
    const usual =
      (own.byHour + (AIRPORT_FLIGHTS * airport.byHour) / airport.flights) /
      (own.flights + AIRPORT_FLIGHTS);
    all.flights += flights;
    all.byHour += flights * usual;
    return usual;
  });
  return more.map((usual) => (Number.isNaN(usual) ? 0 : usual - all.byHour / all.flights));
}

function routeOf({ route }: Cells, routes: Routes, cell: number): Routes[number] {
  return routes[route[cell] as number] as Routes[number];
}

function join(sums: Map<string, Sums>, key: string, flights: number, byHour: number): void {
  const sum = sums.get(key);
  if (!sum) sums.set(key, { flights, byHour });
  else {
    sum.flights += flights;
    sum.byHour += byHour;
  }
}
