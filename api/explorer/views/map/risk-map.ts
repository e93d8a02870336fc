import { hour as hourText, shareText } from '../format.ts';
import { html, type Content } from '../html.ts';
import type { Frame } from '../page.ts';
import { picture } from '../picture.ts';
import { scoreOfShare } from '../places/shares.ts';
import { riskStep, STEPS } from '../risk.ts';
import { shareLegend } from '../legend.ts';
import { airportDots } from './airport-dots.ts';
import type { MapData, MapRoute } from './map-data.ts';
import {
  clampView,
  inView,
  mapAddress,
  shareAt,
  stepZoom,
  type MapState,
  type MapView,
} from './map-view.ts';
import { allTargets, targetLinks, type PlacedAirport, type Targets } from './targets.ts';

/** Largest and smallest radius of a dot. */
const [MAX_RADIUS, MIN_RADIUS] = [13, 2.2];
/**
 * Dots reach their full size when the zoom is the highest zoom divided by `FULL_SIZE`. In a view of the world, dots of
 * full size would overlap.
 */
const FULL_SIZE = 32;
/** Maximum number of airport codes on the map. */
const MAX_NAMES = 22;
/** Maximum number of codes on a small map. */
const MAX_NAMES_SMALL = 10;
/**
 * Draws airports as dots sized by traffic, and the busiest routes as lines. Colours show the risk in the selected hour.
 * A link above each dot leads to the page of the airport, or to a closer view.
 */
export function riskMap(data: MapData, state: MapState, { locale }: Frame) {
  const { hour, view } = state;
  const { land, airports, routes } = data;
  const { places, placed, targets, ground, names } = layoutOf(data, view);
  const drawing = html`<svg
    viewBox=${`0 0 ${land.width} ${land.height}`}
    role="group"
    aria-label=${`Risk of airports at ${hourText(hour, locale)}; see the table for all of them`}
  >
    ${ground}
    <g class="routes">${routeLines(routes, hour, placed)}</g>
    <g class="airports">${airportDots(places, hour)}</g>
    ${names} ${targetLinks(targets, { state, land, locale })}
  </svg>`;
  const quiet = airports.filter((airport) => shareAt(airport, hour) === null).length;
  const allDay = airports.filter(({ day }) => day !== null).length;
  return picture({
    id: 'map',
    title: `Leaving at ${hourText(hour, locale)}`,
    note: `Choose an airport to see its page; where airports are close together, the map first zooms in. Larger dots have more flights. ${quietText(quiet)} ${allDayText(allDay)}${state.view.zoom > EXACT_COAST_ZOOM ? ' At this zoom, coasts and borders are approximate.' : ''}`,
    controls: zoomControls(state, land),
    drawing,
    legend: shareLegend(locale),
    table: () => ({
      columns: ['Airport', 'Code', 'Late or cancelled', 'Score', 'Departures on record'],
      rows: airports.map(({ iata, city, flights, ...shares }) => {
        const share = shareAt(shares, hour);
        return [
          city,
          iata,
          shareText(share, locale),
          share === null ? '' : scoreOfShare(share / 1000),
          flights,
        ];
      }),
    }),
    size: 'wide',
  });
}

/** Highest zoom at which the outlines of the map look exact. */
const EXACT_COAST_ZOOM = 4;

function quietText(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? 'The small grey dot is an airport without flights in this hour.'
    : `The ${count} small grey dots are airports without flights in this hour.`;
}

function allDayText(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? 'For the airport with a hollow dot, departure times are unknown, so its colour is for the whole day.'
    : `For the ${count} airports with hollow dots, departure times are unknown, so their colour is for the whole day.`;
}

/** Links that zoom and move the map. They keep the other selections. */
function zoomControls(state: MapState, land: MapData['land']) {
  const { view } = state;
  const [closer, further] = [stepZoom(view, 1, land), stepZoom(view, -1, land)];
  const link = (name: string, sign: string, next: MapView | undefined) =>
    next === undefined
      ? html`<span class="control" aria-hidden="true">${sign}</span>`
      : html`<a
          class="control"
          href=${mapAddress({ ...state, view: clampView(next, land) })}
          aria-label=${name}
          >${sign}</a
        >`;
  const moved = (dx: number, dy: number) => ({
    ...view,
    x: view.x + (dx * land.width) / view.zoom / 3,
    y: view.y + (dy * land.height) / view.zoom / 3,
  });
  return html`<nav class="zoom" aria-label="Map view">
    ${link('Zoom in', '+', closer)} ${link('Zoom out', '−', further)}
    ${
      view.zoom > 1 &&
      html`${link('Move left', '←', moved(-1, 0))} ${link('Move right', '→', moved(1, 0))}
      ${link('Move up', '↑', moved(0, -1))} ${link('Move down', '↓', moved(0, 1))}
      ${link('Whole map', '⤢', { ...view, zoom: 1 })}`
    }
  </nav>`;
}

/** The parts of the map that are the same at every hour. */
type Layout = {
  /** Airports in the view, busiest first. */
  places: PlacedAirport[];
  /** All airports of the map. */
  placed: PlacedAirport[];
  targets: Targets;
  ground: Content;
  names: Content;
};

const layouts = new WeakMap<MapData, Map<string, Layout>>();
/** Maximum number of cached layouts per map. */
const MAX_LAYOUTS = 4;

function layoutOf(data: MapData, view: MapView): Layout {
  const ofData = layouts.get(data) ?? new Map<string, Layout>();
  layouts.set(data, ofData);
  const key = JSON.stringify(view);
  const layout = ofData.get(key) ?? buildLayout(data, view);
  ofData.set(key, layout);
  const [oldest = ''] = ofData.keys();
  if (ofData.size > MAX_LAYOUTS) ofData.delete(oldest);
  return layout;
}

function buildLayout({ land, airports }: MapData, view: MapView): Layout {
  const most = Math.max(1, ...airports.map(({ monthly }) => monthly));
  const largest = MAX_RADIUS * Math.min(1, Math.sqrt((FULL_SIZE * view.zoom) / land.max_zoom));
  const placed = airports.flatMap((airport) => {
    const { x, y, monthly } = airport;
    if (x === null || y === null) return [];
    const radius = Math.max(MIN_RADIUS, largest * Math.sqrt(monthly / most));
    return [{ ...airport, ...inView({ x, y }, view, land), radius, home: { x, y } }];
  });
  const places = placed.filter(
    ({ x, y }) => x >= 0 && x <= land.width && y >= 0 && y <= land.height,
  );
  const always = new Set(pickNames(places, MAX_NAMES_SMALL, { x: 80, y: 44 }));
  const names = pickNames(places, MAX_NAMES, { x: 34, y: 20 }).map((airport) => {
    const { iata, x, y, radius } = airport;
    const size = always.has(airport) ? '' : 'fine';
    return html`<text class=${size} x=${x} y=${y - radius - 3} text-anchor="middle">${iata}</text>`;
  });
  const corner = inView({ x: 0, y: 0 }, view, land);
  const transform = `translate(${corner.x} ${corner.y}) scale(${view.zoom})`;
  return {
    places,
    placed,
    targets: allTargets(places),
    ground: html`<g transform=${view.zoom > 1 ? transform : undefined}>
      <path class="land" d=${land.outline} />
      <path class="borders" d=${land.borders} />
    </g>`,
    names: html`<g class="names" aria-hidden="true">${names}</g>`,
  };
}

/**
 * Combines the routes of one colour into one shape, because browsers redraw ten shapes faster than hundreds. The
 * riskiest routes are drawn on top.
 */
function routeLines(routes: readonly MapRoute[], hour: number, placed: readonly PlacedAirport[]) {
  const places = new Map(placed.map((airport) => [airport.iata, airport]));
  const shapes = STEPS.map(() => '');
  for (const { origin, dest, ...shares } of routes) {
    const [from, to] = [places.get(origin), places.get(dest)];
    const share = shareAt(shares, hour);
    if (!from || !to || share === null) continue;
    shapes[riskStep(scoreOfShare(share / 1000))] += arcPath(from, to);
  }
  return shapes.map((shape, step) => html`<path class=${`route line-${step}`} d=${shape} />`);
}

/** Returns the path of a route, curved to the north like a great circle. */
function arcPath(from: PlacedAirport, to: PlacedAirport): string {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const side = dx >= 0 ? BEND : -BEND;
  const x = Math.round((from.x + to.x) / 2 + side * dy);
  const y = Math.round((from.y + to.y) / 2 - side * dx);
  return `M${from.x} ${from.y}Q${x} ${y} ${to.x} ${to.y}`;
}

const BEND = 0.12;

/** Returns the busiest airports whose names do not overlap. */
function pickNames(
  airports: readonly PlacedAirport[],
  most: number,
  apart: { x: number; y: number },
): PlacedAirport[] {
  const labelled: PlacedAirport[] = [];
  for (const airport of airports) {
    if (labelled.length === most) break;
    const isFree = labelled.every(
      ({ x, y }) => Math.abs(x - airport.x) > apart.x || Math.abs(y - airport.y) > apart.y,
    );
    if (isFree) labelled.push(airport);
  }
  return labelled;
}
