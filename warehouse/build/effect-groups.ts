import type { GroupKind } from '../store/effect-kinds.ts';

/**
 * Columns with one entry per cell. A cell is a group of similar flights, with their number, their delays, their route
 * and their time.
 */
export type Cells = {
  /** Index of the route in `Routes`. */
  route: Float64Array;
  /** NaN if the hour is unknown or the cell covers all hours. */
  hour: Float64Array;
  /** 1 for flights from April to September, otherwise 0. */
  summer: Float64Array;
  /** Season depth of the cell's flights in their half-year, 0 to 1. */
  seasonDepth: Float64Array;
  /** Months since January 1970; NaN if the cell covers all months. */
  month: Float64Array;
  flights: Float64Array;
  delayed: Float64Array;
  /** Expected log-odds of delay before any effects are fitted. */
  logOdds: Float64Array;
};

/**
 * The airline-routes of the cells. `origin` is empty if cells are grouped by arrival airport alone. `distance` is the
 * number of the distance band; absent if no kind of group uses it.
 */
export type Routes = { origin: string; dest: string; carrier: string; distance?: string }[];

/**
 * The groups of one kind. `groupOfCell` has the index of each cell's group, or -1 for a cell without a group. `keys`
 * has the name of each group, for example `JFK@S2`.
 */
export type Groups = { groupOfCell: Int32Array; keys: string[] };

/** The columns that decide to which groups a cell belongs. */
export type CellPlaces = Pick<Cells, 'route' | 'hour' | 'summer' | 'month'>;

/** Builds all groups of one kind that have at least one cell. The groups are in the order of their first cells. */
export function buildGroups(kind: GroupKind, cells: CellPlaces, routes: Routes): Groups {
  const { partOfRoute, codes } = partsOf(kind, routes);
  const { slotOf, width } = slotsOf(kind, cells);
  const groupOfSlot = new Int32Array(codes.length * width).fill(-1);
  const keys: string[] = [];
  const groupOfCell = new Int32Array(cells.route.length).fill(-1);
  for (let cell = 0; cell < groupOfCell.length; cell++) {
    const slot = slotOf(cell);
    if (Number.isNaN(slot)) continue;
    const part = partOfRoute[cells.route[cell] as number] as number;
    const at = part * width + slot;
    if (groupOfSlot[at] === -1) {
      groupOfSlot[at] = keys.length;
      keys.push(`${codes[part]}${formatTime(kind, cells, cell)}`);
    }
    groupOfCell[cell] = groupOfSlot[at] as number;
  }
  return { groupOfCell, keys };
}

/**
 * Returns the groups of some of the cells, in the order of the first of these cells. The result is the same as if
 * `buildGroups` built the groups from these cells alone, but takes a fraction of the time.
 */
export function selectGroups({ groupOfCell, keys }: Groups, cells: Int32Array): Groups {
  const placeOf = new Int32Array(keys.length).fill(-1);
  const selected: Groups = { groupOfCell: new Int32Array(cells.length).fill(-1), keys: [] };
  for (let at = 0; at < cells.length; at++) {
    const group = groupOfCell[cells[at] as number] as number;
    if (group < 0) continue;
    if (placeOf[group] === -1) {
      placeOf[group] = selected.keys.length;
      selected.keys.push(keys[group] as string);
    }
    selected.groupOfCell[at] = placeOf[group] as number;
  }
  return selected;
}

/** Calls `visit` for each cell that has a group. */
export function forEachCell(
  { groupOfCell }: Groups,
  visit: (cell: number, group: number) => void,
): void {
  for (let cell = 0; cell < groupOfCell.length; cell++) {
    const group = groupOfCell[cell] as number;
    if (group >= 0) visit(cell, group);
  }
}

/**
 * Returns a function that numbers the time slot of a cell from 0 to `width - 1`. The number is NaN if the cell's time
 * is unknown.
 */
function slotsOf({ byHalfYear, hours, byMonth }: GroupKind, { hour, summer, month }: CellPlaces) {
  const blocks = hours ? Math.ceil(24 / hours) : 1;
  const halves = byHalfYear ? 2 : 1;
  const [first, last] = byMonth
    ? month.reduce(([a, b], one) => [Math.min(a, one), Math.max(b, one)], [Infinity, -Infinity])
    : [0, 0];
  const slotOf = (cell: number): number => {
    const months = byMonth ? (month[cell] as number) - first : 0;
    const block = hours ? Math.floor((hour[cell] as number) / hours) : 0;
    return (months * blocks + block) * halves + (byHalfYear ? (summer[cell] as number) : 0);
  };
  return { slotOf, width: Math.max(last - first + 1, 0) * blocks * halves };
}

/** Formats the time part of a group's key. If it contains hours, an `@` separates it from the codes. */
function formatTime(
  { codes, byHalfYear, hours, byMonth }: GroupKind,
  cells: CellPlaces,
  cell: number,
) {
  const at = hours && codes.length > 0 ? '@' : '';
  const half = byHalfYear ? (cells.summer[cell] ? 'S' : 'W') : '';
  const block = hours ? String(Math.floor((cells.hour[cell] as number) / hours)) : '';
  return at + half + block + (byMonth ? formatFirstDay(cells.month[cell] as number) : '');
}

/** Formats the first day of a month, `YYYY-MM-DD`. */
function formatFirstDay(month: number): string {
  return new Date(Date.UTC(1970, month, 1)).toISOString().slice(0, 10);
}

/**
 * Gives a number to each different combination of codes. Returns the combinations, and for each route the number of its
 * combination.
 */
function partsOf({ codes }: GroupKind, routes: Routes) {
  const indexes = new Map<string, number>();
  const partOfRoute = routes.map((route) => {
    const key = codes.map((code) => route[code]).join('');
    const place = indexes.get(key) ?? indexes.size;
    indexes.set(key, place);
    return place;
  });
  return { partOfRoute, codes: [...indexes.keys()] };
}
