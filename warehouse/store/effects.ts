import type { Columns, TextBytes } from './arrow.ts';
import { codesNumber, DIGITS_FROM, numberAfter, START, withDigit } from './code-number.ts';
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

/** Where the effects of a group begin, by the number its codes make. */
type Places = Map<Group, NumberIndex>;

/**
 * The effects of the store's table, laid out group by group: those of a flight are found once for all hours. Half a million
 * of them are read while requests wait, so no row becomes a string.
 */
export function readEffects(columns: Columns): EffectTable {
  const places: Places = new Map();
  for (const group of WIDTHS.keys()) places.set(group, createNumberIndex());
  const [kinds, keys] = [columns.bytes('kind'), columns.bytes('key')];
  const effects = columns.numbers('effect');
  const at = new Int32Array(columns.rowCount);
  let size = NOTHING;
  let kind: Offsets | undefined;
  for (let row = 0; row < at.length; row++) {
    // Sorted by kind, there are as many as there are kinds to tell.
    if (row === 0 || !isAsBefore(kinds, row)) kind = OFFSETS_OF.get(textAt(kinds, row));
    if (!kind) continue;
    const { number, slot } = readKey(keys, row, kind);
    const group = places.get(kind.group) as NumberIndex;
    let place = group.get(number);
    if (place === -1) {
      place = size;
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
    isSeasonal: KINDS.map(({ byHalfYear }) => byHalfYear === true),
    values,
    placesOf: placesIn(places),
  };
}

function isAsBefore({ values, offsets }: TextBytes, row: number): boolean {
  const [before, from, until] = [offsets[row - 1], offsets[row], offsets[row + 1]] as number[];
  const length = (until as number) - (from as number);
  if ((from as number) - (before as number) !== length) return false;
  for (let at = 0; at < length; at++) {
    if (values[(before as number) + at] !== values[(from as number) + at]) return false;
  }
  return true;
}

function textAt({ values, offsets }: TextBytes, row: number): string {
  return Buffer.from(values.subarray(offsets[row], offsets[row + 1])).toString('latin1');
}

const [AT, WINTER] = ['@', 'W'].map((sign) => sign.charCodeAt(0));

/** `JFKLAXAA@4`: the number its codes make, and where among the effects of its group the block of hours is. */
function readKey({ values, offsets }: TextBytes, row: number, kind: Offsets) {
  const { airports, hasCarrier } = GROUPS[kind.group];
  let at = offsets[row] as number;
  const until = offsets[row + 1] as number;
  const airportsEnd = at + 3 * airports;
  // An airline's code goes on to the mark, or to the end.
  const codesEnd = hasCarrier ? until : airportsEnd;
  let number = START;
  while (at < codesEnd && values[at] !== AT) number = withDigit(number, values[at++] as number);
  if (values[at] === AT) at += 1;
  let slot = kind.first;
  if (kind.byHalfYear && values[at++] === WINTER) slot += kind.winter;
  let block = 0;
  while (at < until) block = 10 * block + (values[at++] as number) - DIGITS_FROM;
  return { number, slot: slot + block };
}

function placesIn(places: Places): EffectTable['placesOf'] {
  const [network, carriers, origins, dests, originCarriers, destCarriers, routes, routeCarriers] =
    ORDER.map((group) => places.get(group) as NumberIndex) as InOrder<NumberIndex>;
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

/** The groups in the order they are looked up in. */
const ORDER = Object.keys(GROUPS) as Group[];

type InOrder<T> = [T, T, T, T, T, T, T, T];

/** Of each kind its group, and where it begins among the effects of that group in each half of the year. */
const GROUP_OF = Int32Array.from(OFFSETS, ({ group }) => ORDER.indexOf(group));
const SUMMER_OFFSETS = Int32Array.from(OFFSETS, ({ first }) => first);
const WINTER_OFFSETS = Int32Array.from(OFFSETS, ({ first, winter }) => first + winter);
