import type { EffectKind } from '../store/effect-kinds.ts';

/** Like flights, cell by cell: how many there are, how many were delayed, and when and where they fly. */
export type Cells = {
  /** Place in `Routes`. */
  route: Float64Array;
  /** NaN where unknown, or where cells are of all hours. */
  hour: Float64Array;
  /** 1 from April to September, else 0. */
  summer: Float64Array;
  /** How deep in that half of the year its flights are, 0 to 1. */
  seasonDepth: Float64Array;
  /** Months since January 1970; NaN where cells are of all months. */
  month: Float64Array;
  flights: Float64Array;
  delayed: Float64Array;
  /** What is expected of them before any kind is fitted. */
  logOdds: Float64Array;
};

/** Airline-routes; origin is empty where cells are of the airport of arrival alone. */
export type Routes = { origin: string; dest: string; carrier: string }[];

/** The groups of a kind: of each cell the place of its group or -1, and the groups' keys, for example `JFK@S2`. */
export type Groups = { ofCell: Int32Array; keys: string[] };

/** The groups of one kind that have cells, in the order of the cells. */
export function groupsOf(kind: EffectKind, cells: Cells, routes: Routes): Groups {
  const { ofRoute, codes } = partsOf(kind, routes);
  const { slotOf, width } = slotsOf(kind, cells);
  const placeOf = new Int32Array(codes.length * width).fill(-1);
  const keys: string[] = [];
  const ofCell = new Int32Array(cells.route.length).fill(-1);
  for (let cell = 0; cell < ofCell.length; cell++) {
    const slot = slotOf(cell);
    if (Number.isNaN(slot)) continue;
    const part = ofRoute[cells.route[cell] as number] as number;
    const at = part * width + slot;
    if (placeOf[at] === -1) {
      placeOf[at] = keys.length;
      keys.push(`${codes[part]}${whenOf(kind, cells, cell)}`);
    }
    ofCell[cell] = placeOf[at] as number;
  }
  return { ofCell, keys };
}

/** Where in time each cell lies for a kind, from 0 up to `width`; NaN where that is unknown. */
function slotsOf({ byHalfYear, hours, byMonth }: EffectKind, { hour, summer, month }: Cells) {
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

/** The part of a key that says when; the codes before it end in `@` where hours follow. */
function whenOf({ codes, byHalfYear, hours, byMonth }: EffectKind, cells: Cells, cell: number) {
  const at = hours && codes.length > 0 ? '@' : '';
  const half = byHalfYear ? (cells.summer[cell] ? 'S' : 'W') : '';
  const block = hours ? String(Math.floor((cells.hour[cell] as number) / hours)) : '';
  return at + half + block + (byMonth ? dayOf(cells.month[cell] as number) : '');
}

/** First day of a month, `YYYY-MM-DD`. */
function dayOf(month: number): string {
  return new Date(Date.UTC(1970, month, 1)).toISOString().slice(0, 10);
}

/** Of each route which codes of the kind it has. */
function partsOf({ codes }: EffectKind, routes: Routes) {
  const places = new Map<string, number>();
  const ofRoute = routes.map((route) => {
    const key = codes.map((code) => route[code]).join('');
    const place = places.get(key) ?? places.size;
    places.set(key, place);
    return place;
  });
  return { ofRoute, codes: [...places.keys()] };
}
