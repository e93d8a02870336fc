import type { Row } from '../../warehouse/store/arrow.ts';
import type { Random } from '../generate/random.ts';
import type { AirlineRoute } from '../../warehouse/store/types.ts';

const HALVES = ['S', 'W'];

/** Effects of every kind for every group of the flights; those of hours for every block of them. */
export function effectRows(flights: AirlineRoute[], random: Random): Row[] {
  const of = (keyOf: (flight: AirlineRoute) => string) => [...new Set(flights.map(keyOf))];
  const carriers = of(({ carrier }) => carrier);
  const origins = of(({ origin }) => origin);
  const dests = of(({ dest }) => dest);
  const routeCarriers = of(({ origin, dest, carrier }) => origin + dest + carrier);
  const keys: Record<string, string[]> = {
    carrier_level: carriers,
    origin_level: origins,
    dest_level: dests,
    origin_half_year_level: halved(origins),
    dest_half_year_level: halved(dests),
    origin_carrier_level: of(({ origin, carrier }) => origin + carrier),
    dest_carrier_level: of(({ dest, carrier }) => dest + carrier),
    hour: blocks([''], 24),
    half_year_hour: blocks(HALVES, 24),
    carrier: carriers,
    origin: origins,
    dest: dests,
    origin_carrier: of(({ origin, carrier }) => origin + carrier),
    route: of(({ origin, dest }) => origin + dest),
    route_carrier: routeCarriers,
    carrier_hours: blocks(marked(carriers), 8),
    origin_hours: blocks(marked(origins), 12),
    dest_hours: blocks(marked(dests), 8),
    route_carrier_hours: blocks(marked(routeCarriers), 6),
    origin_half_year_hours: blocks(halved(marked(origins)), 8),
  };
  return Object.entries(keys).flatMap(([kind, some]) =>
    some.map((key) => ({ kind, key, effect: 0.2 * random.normal() })),
  );
}

function marked(codes: string[]): string[] {
  return codes.map((code) => `${code}@`);
}

function halved(codes: string[]): string[] {
  return codes.flatMap((code) => HALVES.map((half) => code + half));
}

function blocks(codes: string[], count: number): string[] {
  return codes.flatMap((code) => Array.from({ length: count }, (_, block) => `${code}${block}`));
}
