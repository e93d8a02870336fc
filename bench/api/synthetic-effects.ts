import type { Row } from '../../warehouse/store/arrow.ts';
import type { Random } from '../generate/random.ts';
import type { AirlineRoute } from '../../warehouse/store/types.ts';

const HALVES = ['S', 'W'];

/**
 * Returns made-up effects for every kind of effect. Each group of flights has one effect; for effects by hour, each
 * block of hours has one effect.
 */
export function effectRows(flights: AirlineRoute[], random: Random): Row[] {
  const unique = (keyOf: (flight: AirlineRoute) => string) => [...new Set(flights.map(keyOf))];
  const carriers = unique(({ carrier }) => carrier);
  const origins = unique(({ origin }) => origin);
  const dests = unique(({ dest }) => dest);
  const routeCarriers = unique(({ origin, dest, carrier }) => origin + dest + carrier);
  const keys: Record<string, string[]> = {
    carrier_level: carriers,
    origin_level: origins,
    dest_level: dests,
    origin_half_year_level: withHalves(origins),
    dest_half_year_level: withHalves(dests),
    origin_carrier_level: unique(({ origin, carrier }) => origin + carrier),
    dest_carrier_level: unique(({ dest, carrier }) => dest + carrier),
    hour: withBlocks([''], 24),
    half_year_hour: withBlocks(HALVES, 24),
    carrier: carriers,
    origin: origins,
    dest: dests,
    origin_carrier: unique(({ origin, carrier }) => origin + carrier),
    route: unique(({ origin, dest }) => origin + dest),
    route_carrier: routeCarriers,
    carrier_hours: withBlocks(withMark(carriers), 8),
    origin_hours: withBlocks(withMark(origins), 12),
    dest_hours: withBlocks(withMark(dests), 8),
    route_carrier_hours: withBlocks(withMark(routeCarriers), 6),
    origin_half_year_hours: withBlocks(withHalves(withMark(origins)), 8),
  };
  return Object.entries(keys).flatMap(([kind, groups]) =>
    groups.map((key) => ({ kind, key, effect: 0.2 * random.normal() })),
  );
}

function withMark(codes: string[]): string[] {
  return codes.map((code) => `${code}@`);
}

function withHalves(codes: string[]): string[] {
  return codes.flatMap((code) => HALVES.map((half) => code + half));
}

function withBlocks(codes: string[], count: number): string[] {
  return codes.flatMap((code) => Array.from({ length: count }, (_, block) => `${code}${block}`));
}
