import type { GroupKind } from '../store/effect-kinds.ts';

/**
 * Columns of cells. A cell is a set of similar flights, with the number, the delays, the route and the time of these
 * flights.
 */
export type Cells = {
  /** Index of the route in `Routes`. */
  route: Float64Array;
  /** NaN if the hour is unknown or the cell covers all hours. */
  hour: Float64Array;
  /** 1 from April to September, otherwise 0. */
  summer: Float64Array;
  /** Season depth of the cell's flights in that half of the year, 0 to 1. */
  seasonDepth: Float64Array;
  /** Months since January 1970; NaN if the cell covers all months. */
  month: Float64Array;
  flights: Float64Array;
  delayed: Float64Array;
  /** Expected log-odds of delay before any kind of effect is fitted. */
  logOdds: Float64Array;
};

/**
 * Airline-routes. `origin` is empty if the cells are grouped by arrival airport alone. `distance` is a band of
 * distances, present if a kind groups by it.
 */
export type Routes = { origin: string; dest: string; carrier: string; distance?: string }[];

/**
 * Groups of one kind, with the index of each cell's group (-1 for none) and the key of each group, for example
 * `JFK@S2`.
 */
export type Groups = { groupOfCell: Int32Array; keys: string[] };

/** Builds the groups of one kind that have cells, in the order of the cells. */
export function buildGroups(kind: GroupKind, cells: Cells, routes: Routes): Groups {
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

/** Visits the cells that have a group. */
export function forEachCell(
  { groupOfCell }: Groups,
  visit: (cell: number, group: number) => void,
): void {
  for (let cell = 0; cell < groupOfCell.length; cell++) {
    const group = groupOfCell[cell] as number;
    if (group >= 0) visit(cell, group);
  }
}

/** Numbers the time slot of each cell for a kind, from 0 up to `width`; NaN if the time is unknown. */
function slotsOf({ byHalfYear, hours, byMonth }: GroupKind, { hour, summer, month }: Cells) {
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

/** Formats the time part of a key. If the time part has hours, the codes before the time part end in `@`. */
function formatTime({ codes, byHalfYear, hours, byMonth }: GroupKind, cells: Cells, cell: number) {
  const at = hours && codes.length > 0 ? '@' : '';
  const half = byHalfYear ? (cells.summer[cell] ? 'S' : 'W') : '';
  const block = hours ? String(Math.floor((cells.hour[cell] as number) / hours)) : '';
  return at + half + block + (byMonth ? formatFirstDay(cells.month[cell] as number) : '');
}

/** Formats the first day of a month, `YYYY-MM-DD`. */
function formatFirstDay(month: number): string {
  return new Date(Date.UTC(1970, month, 1)).toISOString().slice(0, 10);
}

/** Numbers the code combinations of the kind and lists the number of each route. */
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
