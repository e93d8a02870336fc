import { hour as hourText } from '../format.ts';
import { html, type Content } from '../html.ts';
import type { Frame } from '../page.ts';
import { picture } from '../picture.ts';
import { airportAddress } from '../places/addresses.ts';
import { scoreOfShare } from '../places/shares.ts';
import { riskClass, riskStep, STEPS } from '../risk.ts';
import type { MapAirport, MapData, MapRoute } from './map-data.ts';
import { shareText } from './share-text.ts';

/** Largest dot, and smallest. */
const [RADIUS, LEAST] = [13, 2.2];
/** Airports whose codes are written on the map. */
const NAMED = 22;
/** Those that are still written where the map is small. */
const NAMED_SMALL = 10;

type Shown = { hour: number; at?: string };

/** Airports as dots, as large as their traffic, and the busiest routes, in the colour of their risk in that hour. */
export function riskMap(data: MapData, { hour, at }: Shown, { locale }: Frame) {
  const { land, airports, routes } = data;
  const { places, ground, names } = layoutOf(data);
  const dots = places.toReversed().map((airport) => {
    const share = airport.hours[hour] ?? null;
    const what = `${airport.city} ${airport.iata}: ${shareText(share, locale)}`;
    return html`<a
      href=${airportAddress(airport.iata)}
      aria-current=${airport.iata === at ? 'true' : undefined}
    >
      <title>${what}</title>
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
    aria-label=${`Risk of airports at ${hourText(hour, locale)}; the table has all of them`}
  >
    ${ground}
    <g class="routes">${linesOf(routes, hour, places)}</g>
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

type Placed = MapAirport & { x: number; y: number; radius: number };

/** What is the same at every hour. */
type Layout = { places: Placed[]; ground: Content; names: Content };

const layouts = new WeakMap<MapData, Layout>();

function layoutOf(data: MapData): Layout {
  const known = layouts.get(data) ?? laidOut(data);
  layouts.set(data, known);
  return known;
}

function laidOut({ land, airports }: MapData): Layout {
  const most = Math.max(1, ...airports.map(({ flights }) => flights));
  const places = airports.flatMap((airport) => {
    const { x, y, flights } = airport;
    const radius = Math.max(LEAST, RADIUS * Math.sqrt(flights / most));
    return x === null || y === null ? [] : [{ ...airport, x, y, radius }];
  });
  const always = new Set(namedOf(places, NAMED_SMALL, { x: 80, y: 44 }));
  const names = namedOf(places, NAMED, { x: 34, y: 20 }).map((airport) => {
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

/** Routes of one colour are one shape, those at most risk on top: a browser redraws ten shapes sooner than hundreds. */
function linesOf(routes: readonly MapRoute[], hour: number, placed: readonly Placed[]) {
  const places = new Map(placed.map((airport) => [airport.iata, airport]));
  const shapes = STEPS.map(() => '');
  for (const { origin, dest, hours } of routes) {
    const [from, to] = [places.get(origin), places.get(dest)];
    const share = hours[hour] ?? null;
    if (!from || !to || share === null) continue;
    shapes[riskStep(scoreOfShare(share / 1000))] += bowOf(from, to);
  }
  return shapes.map((shape, step) => html`<path class=${`route line-${step}`} d=${shape} />`);
}

/** Bent like the way over the globe, to the north. */
function bowOf(from: Placed, to: Placed): string {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const side = dx >= 0 ? BEND : -BEND;
  const x = Math.round((from.x + to.x) / 2 + side * dy);
  const y = Math.round((from.y + to.y) / 2 - side * dx);
  return `M${from.x} ${from.y}Q${x} ${y} ${to.x} ${to.y}`;
}

const BEND = 0.12;

/** The busiest, but for those whose names would lie on each other. */
function namedOf(
  airports: readonly Placed[],
  most: number,
  apart: { x: number; y: number },
): Placed[] {
  const named: Placed[] = [];
  for (const airport of airports) {
    if (named.length === most) break;
    const isFree = named.every(
      ({ x, y }) => Math.abs(x - airport.x) > apart.x || Math.abs(y - airport.y) > apart.y,
    );
    if (isFree) named.push(airport);
  }
  return named;
}
