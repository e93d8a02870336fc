import type { PlannedFlight } from './line.ts';
import { milesBetween, type Place } from './places.ts';
import type { Random } from './random.ts';
import { distributeRows, type Service } from './schedule.ts';

/** A flight of the timetable, with the service from which its outcome is drawn. */
export type TimetableEntry = {
  flight: PlannedFlight;
  service: Service;
  /** Index of its day in the month. */
  day: number;
};

/** BTS's numbers of the seed's carriers, from `L_AIRLINE_ID`. */
const DOT_IDS: Record<string, number> = {
  '9E': 20_363,
  AA: 19_805,
  AS: 19_930,
  B6: 20_409,
  DL: 19_790,
  EV: 20_366,
  F9: 20_436,
  G4: 20_368,
  HA: 19_690,
  MQ: 20_398,
  NK: 20_416,
  OH: 20_397,
  OO: 20_304,
  UA: 19_977,
  WN: 19_393,
  YV: 20_378,
  YX: 20_452,
};

/**
 * Yields exactly `rows` flights of a month in BTS's order. All days of a flight number come one after the other, and
 * then the next flight number follows. `days` contains the CSV columns of each day.
 */
export function* timetable(
  random: Random,
  services: readonly Service[],
  places: Map<string, Place>,
  days: readonly string[],
  rows: number,
): Generator<TimetableEntry> {
  const alternates = [...places.values()];
  const counts = distributeRows(services, rows);
  for (const [index, service] of services.entries()) {
    const count = counts[index] ?? 0;
    for (let done = 0; done < count; done += days.length) {
      const flights = Math.min(count - done, days.length);
      const series = planSeries(random, service, places);
      const first = random.below(days.length);
      for (let n = 0; n < flights; n++) {
        // Spreads the flights evenly over the month, at most one per day.
        const day = (first + Math.floor((n * days.length) / flights)) % days.length;
        const flight: PlannedFlight = {
          ...series,
          dayColumns: days[day] ?? '',
          tailNumber: `N${100 + random.below(300)}${service.carrier}`,
          alternate: alternates[random.below(alternates.length)] ?? series.origin,
        };
        yield { flight, service, day };
      }
    }
  }
}

/** Returns `Year` to `FlightDate` of each day of the month (`YYYY-MM`) as CSV text. */
export function dayColumns(month: string): string[] {
  const [year = 0, monthOfYear = 0] = month.split('-').map(Number);
  const count = new Date(Date.UTC(year, monthOfYear, 0)).getUTCDate();
  const quarter = Math.ceil(monthOfYear / 3);
  return Array.from({ length: count }, (_, index) => {
    const date = new Date(Date.UTC(year, monthOfYear - 1, index + 1));
    // Monday is 1 and Sunday 7.
    const weekday = ((date.getUTCDay() + 6) % 7) + 1;
    return `${year},${quarter},${monthOfYear},${index + 1},${weekday},${date.toISOString().slice(0, 10)}`;
  });
}

/** Draws a flight number with its times. */
function planSeries(random: Random, service: Service, places: Map<string, Place>) {
  const { carrier, crsDepHour } = service;
  const origin = placeOf(service.origin, places);
  const dest = placeOf(service.dest, places);
  const distanceMi = milesBetween(origin, dest);
  return {
    carrier,
    dotId: DOT_IDS[carrier] ?? 21_000,
    flightNumber: 1 + random.below(6999),
    origin,
    dest,
    crsDepMin: crsDepHour * 60 + 5 * random.below(12),
    // Estimates the flight time: half an hour for taxi and climb, then eight miles a minute.
    crsElapsedMin: Math.round(35 + distanceMi / 8),
    distanceMi,
  };
}

function placeOf(iata: string, places: Map<string, Place>): Place {
  const place = places.get(iata);
  if (!place) throw new Error(`no state for airport ${iata}; add it to bench/generate/states.ts`);
  return place;
}
