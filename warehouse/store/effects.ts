import type { Columns } from './arrow.ts';
import type { AirlineRoute, EffectTable } from './types.ts';

/** Whose lateness an effect is: the airports its key begins with, and whether an airline follows. */
const GROUPS = {
  network: { airports: 0, hasCarrier: false },
  carrier: { airports: 0, hasCarrier: true },
  origin: { airports: 1, hasCarrier: false },
  dest: { airports: 1, hasCarrier: false },
  origin_carrier: { airports: 1, hasCarrier: true },
  dest_carrier: { airports: 1, hasCarrier: true },
  route: { airports: 2, hasCarrier: false },
  route_carrier: { airports: 2, hasCarrier: true },
};

type Group = keyof typeof GROUPS;

/** Whose it is, for blocks of so many hours or, with 0, for all of them, and for each half of the year or for both. */
type Kind = { kind: string; group: Group; hours: number; byHalfYear?: true };

/** The kinds that are served; their keys are those of `effects/groups.sql`. */
const KINDS: readonly Kind[] = [
  { kind: 'carrier_level', group: 'carrier', hours: 0 },
  { kind: 'origin_level', group: 'origin', hours: 0, byHalfYear: true },
  { kind: 'dest_level', group: 'dest', hours: 0, byHalfYear: true },
  { kind: 'origin_carrier_level', group: 'origin_carrier', hours: 0 },
  { kind: 'dest_carrier_level', group: 'dest_carrier', hours: 0 },
  { kind: 'hour', group: 'network', hours: 1 },
  { kind: 'half_year_hour', group: 'network', hours: 1, byHalfYear: true },
  { kind: 'carrier', group: 'carrier', hours: 0 },
  { kind: 'origin', group: 'origin', hours: 0 },
  { kind: 'dest', group: 'dest', hours: 0 },
  { kind: 'origin_carrier', group: 'origin_carrier', hours: 0 },
  { kind: 'route', group: 'route', hours: 0 },
  { kind: 'route_carrier', group: 'route_carrier', hours: 0 },
  { kind: 'carrier_hours', group: 'carrier', hours: 3 },
  { kind: 'origin_hours', group: 'origin', hours: 2 },
  { kind: 'dest_hours', group: 'dest', hours: 3 },
  { kind: 'route_carrier_hours', group: 'route_carrier', hours: 4 },
  { kind: 'origin_half_year_hours', group: 'origin', hours: 3, byHalfYear: true },
];

/** Where a kind begins among the effects of its group, how much further its winter's do, and how many its group has. */
type Offsets = Kind & { first: number; winter: number };

const WIDTHS = new Map<Group, number>();
const OFFSETS: Offsets[] = KINDS.map((kind) => {
  const blocks = kind.hours === 0 ? 1 : 24 / kind.hours;
  const first = WIDTHS.get(kind.group) ?? 0;
  const winter = kind.byHalfYear ? blocks : 0;
  WIDTHS.set(kind.group, first + blocks + winter);
  return { ...kind, first, winter };
});
const OFFSETS_OF = new Map(OFFSETS.map((kind) => [kind.kind, kind]));

/** A group without history differs in nothing from what is expected: zeros, as many as a kind has hours. */
const NOTHING = 24;

/** More than there are codes of airports and of airlines; three digits of it are a whole number still. */
const RADIX = 32_768;

/** The codes by number, and where the effects of a group begin by the number its codes make. */
type Places = { codes: Map<string, number>; groups: Map<Group, Map<number, number>> };

/** The effects of the store's table. */
export function readEffects(columns: Columns): EffectTable {
  return effectTable({
    kinds: columns.text('kind'),
    keys: columns.text('key'),
    effects: columns.numbers('effect'),
  });
}

/** Kind, key and log-odds of each effect. */
export type EffectRows = { kinds: string[]; keys: string[]; effects: ArrayLike<number> };

/** Effects laid out group by group: those of a flight are found once for all hours, without making a key. */
export function effectTable({ kinds, keys, effects }: EffectRows): EffectTable {
  const places: Places = { codes: new Map(), groups: new Map() };
  for (const group of WIDTHS.keys()) places.groups.set(group, new Map());
  const at = new Int32Array(kinds.length);
  let size = NOTHING;
  for (const [row, name] of kinds.entries()) {
    const kind = OFFSETS_OF.get(name);
    if (!kind) continue;
    const { number, slot } = readKey(keys[row] as string, kind, places.codes);
    const group = places.groups.get(kind.group) as Map<number, number>;
    const place = group.get(number) ?? size;
    if (place === size) {
      group.set(number, place);
      size += WIDTHS.get(kind.group) as number;
    }
    at[row] = place + slot;
  }
  const values = new Float32Array(size);
  for (const [row, place] of at.entries()) {
    if (place >= NOTHING) values[place] = effects[row] as number;
  }
  return {
    kinds: KINDS.map(({ kind }) => kind),
    hours: Int32Array.from(KINDS, ({ hours }) => hours),
    values,
    placesOf: placesIn(places),
  };
}

/** `JFKLAXAA@4`: the number its codes make, and where among the effects of its group the block of hours is. */
function readKey(key: string, kind: Offsets, codes: Map<string, number>) {
  const { airports, hasCarrier } = GROUPS[kind.group];
  const numbered = (code: string) => {
    const number = codes.get(code) ?? codes.size;
    codes.set(code, number);
    return number;
  };
  let number = 0;
  for (let from = 0; from < 3 * airports; from += 3) {
    number = number * RADIX + numbered(key.slice(from, from + 3));
  }
  const mark = key.indexOf('@');
  const end = !hasCarrier ? 3 * airports : mark === -1 ? key.length : mark;
  if (hasCarrier) number = number * RADIX + numbered(key.slice(3 * airports, end));
  const when = key.slice(mark === -1 ? end : mark + 1);
  const isWinter = when.startsWith('W');
  const block = Number(kind.byHalfYear ? when.slice(1) : when);
  return { number, slot: kind.first + (isWinter ? kind.winter : 0) + block };
}

function placesIn({ codes, groups }: Places): EffectTable['placesOf'] {
  const beginOf = OFFSETS.map(({ group }) => groups.get(group) as Map<number, number>);
  // Of a code that has no effects: no group is found by it.
  const numberOf = (code: string) => codes.get(code) ?? Number.NaN;
  return ({ origin, dest, carrier }: AirlineRoute, halfYear) => {
    const [from, to, by] = [numberOf(origin), numberOf(dest), numberOf(carrier)];
    const route = from * RADIX + to;
    const numbers: Record<Group, number> = {
      network: 0,
      carrier: by,
      origin: from,
      dest: to,
      origin_carrier: from * RADIX + by,
      dest_carrier: to * RADIX + by,
      route,
      route_carrier: route * RADIX + by,
    };
    const places = new Int32Array(OFFSETS.length);
    for (const [at, { group, first, winter }] of OFFSETS.entries()) {
      const begin = beginOf[at]?.get(numbers[group]);
      if (begin !== undefined) places[at] = begin + first + (halfYear === 'W' ? winter : 0);
    }
    return places;
  };
}
