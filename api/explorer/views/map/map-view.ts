import { round } from '../../../../warehouse/ground/numbers.ts';
import type { DayShares, MapData } from './map-data.ts';

/** The visible part of the map: a zoom factor, and the centre in coordinates of the whole map. */
export type MapView = { zoom: number; x: number; y: number };

/** The visitor's selections on the map page. The address contains all of them. */
export type MapState = Pick<MapData, 'region' | 'month' | 'airline'> & {
  hour: number;
  view: MapView;
  /** An airport to highlight. */
  at?: string;
};

const ZOOMS = [1, 2, 4, 8, 16, 32, 64, 128] as const;
/** The highest zoom factor of the map, divided by the zoom factor of a view around one airport. */
const ZOOM_BEYOND_AIRPORT = 8;
/** Number of zoom steps from a group of airports to its closer view. */
const STEPS_TO_GROUP = 2;

type Size = { width: number; height: number };
type MaxZoom = Pick<MapData['land'], 'max_zoom'>;

/**
 * Parses the view in an address: `zoom` and `center` (`x,y`), or the airport `at`. With invalid values, the whole map
 * is shown.
 */
export function readMapView(
  query: URLSearchParams,
  { land, airports }: Pick<MapData, 'land' | 'airports'>,
): MapView {
  const { width, height, max_zoom } = land;
  const at = airports.find(({ iata }) => iata === query.get('at'));
  if (at && at.x !== null && at.y !== null) {
    return clampView({ zoom: max_zoom / ZOOM_BEYOND_AIRPORT, x: at.x, y: at.y }, land);
  }
  const zoom = ZOOMS.find((one) => one <= max_zoom && one === Number(query.get('zoom'))) ?? 1;
  const center = /^(-?\d{1,4}(?:\.\d\d?)?),(-?\d{1,4}(?:\.\d\d?)?)$/.exec(
    query.get('center') ?? '',
  );
  const [x, y] = center ? [Number(center[1]), Number(center[2])] : [width / 2, height / 2];
  return clampView({ zoom, x, y }, land);
}

/** Moves the centre so that the view stays inside the map. */
export function clampView({ zoom, x, y }: MapView, { width, height }: Size): MapView {
  const clamp = (value: number, size: number) =>
    Math.min(size - size / zoom / 2, Math.max(size / zoom / 2, value));
  return { zoom, x: round(clamp(x, width), 2), y: round(clamp(y, height), 2) };
}

/** Returns the view one step closer or further away; undefined at the limits of the zoom. */
export function stepZoom(view: MapView, step: 1 | -1, { max_zoom }: MaxZoom): MapView | undefined {
  const zoom = ZOOMS[ZOOMS.findIndex((one) => one === view.zoom) + step];
  return zoom === undefined || zoom > max_zoom ? undefined : { ...view, zoom };
}

/** Returns a closer view of a group of airports around a position. */
export function zoomTo(
  { x, y }: { x: number; y: number },
  { zoom }: MapView,
  { max_zoom }: MaxZoom,
): MapView {
  return { zoom: Math.min(max_zoom, zoom * 2 ** STEPS_TO_GROUP), x, y };
}

/** Converts coordinates of the whole map to coordinates of the visible part. */
export function inView(
  { x, y }: { x: number; y: number },
  view: MapView,
  { width, height }: Size,
): { x: number; y: number } {
  return {
    x: round((x - view.x) * view.zoom + width / 2, 1),
    y: round((y - view.y) * view.zoom + height / 2, 1),
  };
}

/** Returns the share to show for an hour; null without flights in this hour. */
export function shareAt({ hours, day }: DayShares, hour: number): number | null {
  return day ?? hours[hour] ?? null;
}

/** Returns the address of the map with these selections. */
export function mapAddress({ region, hour, month, airline, view }: MapState): string {
  const query = new URLSearchParams({ hour: String(hour) });
  if (region !== 'world') query.set('region', region);
  if (month !== null) query.set('month', String(month));
  if (airline !== null) query.set('airline', airline);
  if (view.zoom > 1) {
    query.set('zoom', String(view.zoom));
    query.set('center', `${round(view.x, 2)},${round(view.y, 2)}`);
  }
  return `/map?${query.toString().replace('%2C', ',')}`;
}
