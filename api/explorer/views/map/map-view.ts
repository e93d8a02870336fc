import type { MapData } from './map-data.ts';

/** The visible part of the map: a zoom factor, and the centre in coordinates of the whole map. */
export type MapView = { zoom: number; x: number; y: number };

/** The visitor's selections on the map page. The address contains all of them. */
export type MapState = Pick<MapData, 'month' | 'airline'> & {
  hour: number;
  view: MapView;
  /** An airport to highlight. */
  at?: string;
};

export const ZOOMS = [1, 2, 4, 8, 16, 32] as const;
/** Zoom factor of a view around one airport. */
const AIRPORT_ZOOM = 4;
/** Number of zoom steps from a group of airports to its closer view. */
const STEPS_TO_GROUP = 2;

type Size = { width: number; height: number };

/**
 * Parses the view in an address: `zoom` and `center` (`x,y`), or the airport `at`. With invalid values, the whole map
 * is shown.
 */
export function readMapView(
  query: URLSearchParams,
  { land: { width, height }, airports }: Pick<MapData, 'land' | 'airports'>,
): MapView {
  const at = airports.find(({ iata }) => iata === query.get('at'));
  if (at && at.x !== null && at.y !== null) {
    return clampView({ zoom: AIRPORT_ZOOM, x: at.x, y: at.y }, { width, height });
  }
  const zoom = ZOOMS.find((one) => one === Number(query.get('zoom'))) ?? 1;
  const center = /^(-?\d{1,4}),(-?\d{1,4})$/.exec(query.get('center') ?? '');
  const [x, y] = center ? [Number(center[1]), Number(center[2])] : [width / 2, height / 2];
  return clampView({ zoom, x, y }, { width, height });
}

/** Moves the centre so that the view stays inside the map. */
export function clampView({ zoom, x, y }: MapView, { width, height }: Size): MapView {
  const clamp = (value: number, size: number) =>
    Math.min(size - size / zoom / 2, Math.max(size / zoom / 2, value));
  return { zoom, x: Math.round(clamp(x, width)), y: Math.round(clamp(y, height)) };
}

/** Returns the view one step closer or further away; undefined at the limits of the zoom. */
export function stepZoom(view: MapView, step: 1 | -1): MapView | undefined {
  const zoom = ZOOMS[ZOOMS.findIndex((one) => one === view.zoom) + step];
  return zoom === undefined ? undefined : { ...view, zoom };
}

/** Returns a closer view of a group of airports around a position. */
export function zoomTo({ x, y }: { x: number; y: number }, { zoom }: MapView): MapView {
  const at = ZOOMS.findIndex((one) => one === zoom) + STEPS_TO_GROUP;
  return { zoom: ZOOMS[at] ?? ZOOMS.at(-1) ?? 1, x, y };
}

/** Converts coordinates of the whole map to coordinates of the visible part. */
export function inView(
  { x, y }: { x: number; y: number },
  view: MapView,
  { width, height }: Size,
): { x: number; y: number } {
  return {
    x: round((x - view.x) * view.zoom + width / 2),
    y: round((y - view.y) * view.zoom + height / 2),
  };
}

function round(value: number): number {
  return Math.round(10 * value) / 10;
}

/** Returns the address of the map with these selections. */
export function mapAddress({ hour, month, airline, view }: MapState): string {
  const query = new URLSearchParams({ hour: String(hour) });
  if (month !== null) query.set('month', String(month));
  if (airline !== null) query.set('airline', airline);
  if (view.zoom > 1) {
    query.set('zoom', String(view.zoom));
    query.set('center', `${Math.round(view.x)},${Math.round(view.y)}`);
  }
  return `/map?${query.toString().replace('%2C', ',')}`;
}
