import { hour as hourText } from '../format.ts';
import { html, type Content } from '../html.ts';
import type { Frame } from '../page.ts';
import { picture } from '../picture.ts';
import { airportAddress } from '../places/addresses.ts';
import { scoreOfShare } from '../places/shares.ts';
import { riskClass, riskStep, STEPS } from '../risk.ts';
import type { MapAirport, MapData, MapRoute } from './map-data.ts';
import { shareText } from './share-text.ts';

/** Largest and smallest radius of a dot. */
const [MAX_RADIUS, MIN_RADIUS] = [13, 2.2];
/** Maximum number of airport codes on the map. */
const MAX_NAMES = 22;
/** Maximum number of codes on a small map. */
const MAX_NAMES_SMALL = 10;

type MapOptions = { hour: number; at?: string };

/**
 * Draws airports as dots sized by traffic, and the busiest routes as lines. The colour of a dot or line shows the risk
 * in the selected hour.
 */
export function riskMap(data: MapData, { hour, at }: MapOptions, { locale }: Frame) {
  const { land, airports, routes } = data;
  const { places, ground, names } = layoutOf(data);
  const dots = places.toReversed().map((airport) => {
    const share = airport.hours[hour] ?? null;
    const tooltip = `${airport.city} ${airport.iata}: ${shareText(share, locale)}`;
    return html`<a
      href=${airportAddress(airport.iata)}
      aria-current=${airport.iata === at ? 'true' : undefined}
    >
      <title>${tooltip}</title>
      <circle
        class=${share === null ? 'quiet' : riskClass(scoreOfShare(share / 1000))}
        cx=${airport.x}
        cy=${airport.y}
        r=${share === null ? Math.min(2, airport.radius) : airport.radius}
      />
    </a>`;
  });
  const drawing = html`<svg
    viewBox=${`0 0 ${land.width} ${land.height}`}
    role="group"
    aria-label=${`Risk of airports at ${hourText(hour, locale)}; see the table for all of them`}
  >
    ${ground}
    <g class="routes">${routeLines(routes, hour, places)}</g>
    <g class="airports">${dots}</g>
    ${names}
  </svg>`;
  return picture({
    id: 'map',
    title: `Leaving at ${hourText(hour, locale)}`,
    note: `${airports.length} airports and the ${routes.length} busiest routes; larger dots have more flights. Choose an airport to see its page.`,
    drawing,
    table: () => ({
      columns: ['Airport', 'Code', 'Late or cancelled', 'Score', 'Departures on record'],
      rows: airports.map(({ iata, city, hours, flights }) => {
        const share = hours[hour] ?? null;
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

type PlacedAirport = MapAirport & { x: number; y: number; radius: number };

/** The parts of the map that are the same at every hour. */
type Layout = { places: PlacedAirport[]; ground: Content; names: Content };

const layouts = new WeakMap<MapData, Layout>();

function layoutOf(data: MapData): Layout {
  const layout = layouts.get(data) ?? buildLayout(data);
  layouts.set(data, layout);
  return layout;
}

function buildLayout({ land, airports }: MapData): Layout {
  const most = Math.max(1, ...airports.map(({ flights }) => flights));
  const places = airports.flatMap((airport) => {
    const { x, y, flights } = airport;
    const radius = Math.max(MIN_RADIUS, MAX_RADIUS * Math.sqrt(flights / most));
    return x === null || y === null ? [] : [{ ...airport, x, y, radius }];
  });
  const always = new Set(pickNames(places, MAX_NAMES_SMALL, { x: 80, y: 44 }));
  const names = pickNames(places, MAX_NAMES, { x: 34, y: 20 }).map((airport) => {
    const { iata, x, y, radius } = airport;
    const size = always.has(airport) ? '' : 'fine';
    return html`<text class=${size} x=${x} y=${y - radius - 3} text-anchor="middle">${iata}</text>`;
  });
  return {
    places,
    ground: html`<g>
      <path class="land" d=${land.outline} />
      <path class="borders" d=${land.borders} />
    </g>`,
    names: html`<g class="names" aria-hidden="true">${names}</g>`,
  };
}

/**
 * Joins routes of one colour into one shape, because browsers redraw ten shapes faster than hundreds. The riskiest
 * routes are on top.
 */
function routeLines(routes: readonly MapRoute[], hour: number, placed: readonly PlacedAirport[]) {
  const places = new Map(placed.map((airport) => [airport.iata, airport]));
  const shapes = STEPS.map(() => '');
  for (const { origin, dest, hours } of routes) {
    const [from, to] = [places.get(origin), places.get(dest)];
    const share = hours[hour] ?? null;
    if (!from || !to || share === null) continue;
    shapes[riskStep(scoreOfShare(share / 1000))] += arcPath(from, to);
  }
  return shapes.map((shape, step) => html`<path class=${`route line-${step}`} d=${shape} />`);
}

/** Returns a path that bends to the north, like a great circle. */
function arcPath(from: PlacedAirport, to: PlacedAirport): string {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const side = dx >= 0 ? BEND : -BEND;
  const x = Math.round((from.x + to.x) / 2 + side * dy);
  const y = Math.round((from.y + to.y) / 2 - side * dx);
  return `M${from.x} ${from.y}Q${x} ${y} ${to.x} ${to.y}`;
}

const BEND = 0.12;

/** Returns the busiest airports, without the airports whose names would overlap. */
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
