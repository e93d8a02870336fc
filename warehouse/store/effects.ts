import type { Columns, Row } from './arrow.ts';
import { codesNumber, numberAfter, numberAfterRow, START } from './code-number.ts';
import { SERVED_KINDS } from './effect-kinds.ts';
import { createNumberIndex, type NumberIndex } from './number-index.ts';
import type { AirlineRoute, EffectTable } from './types.ts';

/** Whose lateness an effect is: the airports its key begins with, and whether an airline follows. Named by its codes. */
const GROUPS = {
  network: { airports: 0, hasCarrier: false },
  carrier: { airports: 0, hasCarrier: true },
  origin: { airports: 1, hasCarrier: false },
  dest: { airports: 1, hasCarrier: false },
  origin_carrier: { airports: 1, hasCarrier: true },
  dest_carrier: { airports: 1, hasCarrier: true },
  origin_dest: { airports: 2, hasCarrier: false },
  origin_dest_carrier: { airports: 2, hasCarrier: true },
};

type Group = keyof typeof GROUPS;

/** Whose it is, for blocks of so many hours or, with 0, for all of them, and for each half of the year or for both. */
type Kind = { kind: string; group: Group; hours: number; byHalfYear?: true };

const KINDS: readonly Kind[] = SERVED_KINDS.map(({ kind, codes, hours = 0, byHalfYear }) => ({
  kind,
  group: (codes.join('_') || 'network') as Group,
  hours,
  ...(byHalfYear && { byHalfYear }),
}));

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

/** The groups in the order they are looked up in; the store's table has their places in it, so another order is another layout. */
const ORDER = Object.keys(GROUPS) as Group[];

/**
 * The rows of `marts.delay_effects` as the store has them: the effects of a group together, in the order of the kinds, 0 where
 * there is none. They are a quarter as many, and need nothing but to be found when a store is opened.
 */
export function layOutEffects(rows: Row[]): Row[] {
  const groups = ORDER.map(() => new Map<string, number[]>());
  for (const { kind, key, effect } of rows) {
    const offsets = OFFSETS_OF.get(kind as string);
    if (!offsets) continue;
    const { codes, slot } = readKey(key as string, offsets);
    const group = groups[ORDER.indexOf(offsets.group)] as Map<string, number[]>;
    const effects = group.get(codes) ?? Array.from({ length: widthOf(offsets.group) }, () => 0);
    effects[slot] = effect as number;
    group.set(codes, effects);
  }
  return groups.flatMap((byCodes, group) =>
    [...byCodes].map(([codes, effects]) => ({ group, codes, effects })),
  );
}

const widthOf = (group: Group): number => WIDTHS.get(group) ?? 0;

/** `JFKLAXAA@4`: the codes, and where among the effects of its group the block of hours is. */
function readKey(key: string, { group, first, winter, byHalfYear }: Offsets) {
  const { airports, hasCarrier } = GROUPS[group];
  const mark = key.indexOf('@');
  // An airline's code goes on to the mark, or to the end.
  const end = mark === -1 ? key.length : mark;
  const codes = key.slice(0, hasCarrier ? end : 3 * airports);
  const rest = key.slice(codes.length).replace('@', '');
  const half = byHalfYear ? rest.slice(0, 1) : '';
  const block = Number(rest.slice(half.length));
  return { codes, slot: first + (half === 'W' ? winter : 0) + block };
}

/** The effects of the store's table, laid out group by group: those of a flight are found once for all hours. */
export function readEffects(columns: Columns): EffectTable {
  const groups = columns.numbers('group');
  const counts = new Int32Array(ORDER.length);
  for (const group of groups) counts[group] = (counts[group] as number) + 1;
  const places = ORDER.map((_, group) => createNumberIndex(counts[group]));
  const codes = columns.bytes('codes');
  const { values: effects, offsets } = columns.lists('effects');
  for (let row = 0; row < columns.rowCount; row++) {
    const index = places[groups[row] as number] as NumberIndex;
    index.set(numberAfterRow(START, codes, row), NOTHING + (offsets[row] as number));
  }
  const values = new Float32Array(NOTHING + effects.length);
  values.set(effects, NOTHING);
  return {
    kinds: KINDS.map(({ kind }) => kind),
    hours: Int32Array.from(KINDS, ({ hours }) => hours),
    isSeasonal: KINDS.map(({ byHalfYear }) => byHalfYear === true),
    values,
    placesOf: placesIn(places as InOrder<NumberIndex>),
  };
}

function placesIn(places: InOrder<NumberIndex>): EffectTable['placesOf'] {
  const [network, carriers, origins, dests, originCarriers, destCarriers, routes, routeCarriers] =
    places;
  return ({ origin, dest, carrier }: AirlineRoute, halfYear) => {
    const [from, to] = [numberAfter(START, origin), numberAfter(START, dest)];
    const begins: InOrder<number> = [
      network.get(START),
      carriers.get(numberAfter(START, carrier)),
      origins.get(from),
      dests.get(to),
      originCarriers.get(numberAfter(from, carrier)),
      destCarriers.get(numberAfter(to, carrier)),
      routes.get(codesNumber(origin, dest)),
      routeCarriers.get(codesNumber(origin, dest, carrier)),
    ];
    const offsets = halfYear === 'W' ? WINTER_OFFSETS : SUMMER_OFFSETS;
    // A plain array: one of its own memory is dear to make, and this is made for each flight.
    const found: number[] = [];
    for (let at = 0; at < offsets.length; at++) {
      const begin = begins[GROUP_OF[at] as number] as number;
      found.push(begin === -1 ? 0 : begin + (offsets[at] as number));
    }
    return found;
  };
}

type InOrder<T> = [T, T, T, T, T, T, T, T];

/** Of each kind its group, and where it begins among the effects of that group in each half of the year. */
const GROUP_OF = Int32Array.from(OFFSETS, ({ group }) => ORDER.indexOf(group));
const SUMMER_OFFSETS = Int32Array.from(OFFSETS, ({ first }) => first);
const WINTER_OFFSETS = Int32Array.from(OFFSETS, ({ first, winter }) => first + winter);
