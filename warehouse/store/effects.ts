import type { Columns, Row } from './arrow.ts';
import { codesToNumber, appendCode, appendCodeAt, EMPTY_CODES } from './code-number.ts';
import { SERVED_KINDS } from './effect-kinds.ts';
import { createNumberIndex, type NumberIndex } from './number-index.ts';
import type { AirlineRoute, EffectTable } from './types.ts';

/** Types of groups, by the codes at the start of their keys: the number of airports, and whether an airline follows. */
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

/**
 * A kind of effect. `hours` is the length of a block of hours; 0 means one effect for the whole day. With `byHalfYear`,
 * the half-years have separate effects.
 */
type Kind = { kind: string; group: Group; hours: number; byHalfYear?: true };

const KINDS: readonly Kind[] = SERVED_KINDS.map(({ kind, codes, hours = 0, byHalfYear }) => ({
  kind,
  group: (codes.join('_') || 'network') as Group,
  hours,
  ...(byHalfYear && { byHalfYear }),
}));

/**
 * `first` is the position of the kind's first effect within its group. `winter` is the number of positions from a
 * summer effect to the winter effect of the same hours.
 */
type Offsets = Kind & { first: number; winter: number };

const WIDTHS = new Map<Group, number>();
const OFFSETS: Offsets[] = KINDS.map((kind) => {
  const blocks = kind.hours === 0 ? 1 : 24 / kind.hours;
  const first = WIDTHS.get(kind.group) ?? 0;
  const winter = kind.byHalfYear ? blocks : 0;
  WIDTHS.set(kind.group, first + blocks + winter);
  return { ...kind, first, winter };
});
const OFFSETS_BY_KIND = new Map(OFFSETS.map((kind) => [kind.kind, kind]));

/**
 * Number of zeros at the start of `values`, one for each hour. A group without history uses these zeros as its effects.
 */
const ZERO_COUNT = 24;

/** Order of the groups. The store contains indexes into this list, so a new order needs a new layout version. */
const GROUP_ORDER = Object.keys(GROUPS) as Group[];

/**
 * Converts rows of `marts.delay_effects` to the layout of the store. In the store, a group has one row with all its
 * effects in the order of the kinds; a missing effect is 0. This layout has only a quarter as many rows. To open a
 * store, it is enough to index these rows.
 */
export function layOutEffects(rows: Row[]): Row[] {
  const groups = GROUP_ORDER.map(() => new Map<string, number[]>());
  for (const { kind, key, effect } of rows) {
    const offsets = OFFSETS_BY_KIND.get(kind as string);
    if (!offsets) continue;
    const { codes, slot } = readKey(key as string, offsets);
    const group = groups[GROUP_ORDER.indexOf(offsets.group)] as Map<string, number[]>;
    const effects = group.get(codes) ?? Array.from({ length: widthOf(offsets.group) }, () => 0);
    effects[slot] = effect as number;
    group.set(codes, effects);
  }
  return groups.flatMap((byCodes, group) =>
    [...byCodes].map(([codes, effects]) => ({ group, codes, effects })),
  );
}

const widthOf = (group: Group): number => WIDTHS.get(group) ?? 0;

/** Splits a key such as `JFKLAXAA@4` into its codes and the position of the effect within its group. */
function readKey(key: string, { group, first, winter, byHalfYear }: Offsets) {
  const { airports, hasCarrier } = GROUPS[group];
  const separator = key.indexOf('@');
  // The airline's code ends at the `@` or at the end of the key.
  const end = separator === -1 ? key.length : separator;
  const codes = key.slice(0, hasCarrier ? end : 3 * airports);
  const rest = key.slice(codes.length).replace('@', '');
  const half = byHalfYear ? rest.slice(0, 1) : '';
  const block = Number(rest.slice(half.length));
  return { codes, slot: first + (half === 'W' ? winter : 0) + block };
}

/** Reads the effects from a table of the store. One look-up finds the effects of a group for all hours. */
export function readEffects(columns: Columns): EffectTable {
  const groups = columns.numbers('group');
  const counts = new Int32Array(GROUP_ORDER.length);
  for (const group of groups) counts[group] = (counts[group] as number) + 1;
  const indexes = GROUP_ORDER.map((_, group) => createNumberIndex(counts[group]));
  const codes = columns.bytes('codes');
  const { values: effects, offsets } = columns.lists('effects');
  for (let row = 0; row < columns.rowCount; row++) {
    const index = indexes[groups[row] as number] as NumberIndex;
    index.set(appendCodeAt(EMPTY_CODES, codes, row), ZERO_COUNT + (offsets[row] as number));
  }
  const values = new Float32Array(ZERO_COUNT + effects.length);
  values.set(effects, ZERO_COUNT);
  return {
    kinds: KINDS.map(({ kind }) => kind),
    hours: Int32Array.from(KINDS, ({ hours }) => hours),
    isSeasonal: KINDS.map(({ byHalfYear }) => byHalfYear === true),
    values,
    positionsOf: createPositionLookup(indexes as PerGroup<NumberIndex>),
  };
}

function createPositionLookup(indexes: PerGroup<NumberIndex>): EffectTable['positionsOf'] {
  const [network, carriers, origins, dests, originCarriers, destCarriers, routes, routeCarriers] =
    indexes;
  return ({ origin, dest, carrier }: AirlineRoute, halfYear) => {
    const [from, to] = [appendCode(EMPTY_CODES, origin), appendCode(EMPTY_CODES, dest)];
    const starts: PerGroup<number> = [
      network.get(EMPTY_CODES),
      carriers.get(appendCode(EMPTY_CODES, carrier)),
      origins.get(from),
      dests.get(to),
      originCarriers.get(appendCode(from, carrier)),
      destCarriers.get(appendCode(to, carrier)),
      routes.get(codesToNumber(origin, dest)),
      routeCarriers.get(codesToNumber(origin, dest, carrier)),
    ];
    const offsets = halfYear === 'W' ? WINTER_OFFSETS : SUMMER_OFFSETS;
    // Use a plain array: this function runs for every flight, and a typed array would be slow to create.
    const positions: number[] = [];
    for (let at = 0; at < offsets.length; at++) {
      const start = starts[KIND_GROUPS[at] as number] as number;
      positions.push(start === -1 ? 0 : start + (offsets[at] as number));
    }
    return positions;
  };
}

type PerGroup<T> = [T, T, T, T, T, T, T, T];

/** For each kind, the number of its group, and its position within the group in each half-year. */
const KIND_GROUPS = Int32Array.from(OFFSETS, ({ group }) => GROUP_ORDER.indexOf(group));
const SUMMER_OFFSETS = Int32Array.from(OFFSETS, ({ first }) => first);
const WINTER_OFFSETS = Int32Array.from(OFFSETS, ({ first, winter }) => first + winter);
