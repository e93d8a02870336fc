import { hour as hourText } from '../format.ts';
import { html } from '../html.ts';
import type { Frame } from '../page.ts';
import { picture } from '../picture.ts';
import { airportAddress } from '../places/addresses.ts';
import { scoreOfShare } from '../places/shares.ts';
import { riskClass } from '../risk.ts';
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
  const most = Math.max(1, ...airports.map(({ flights }) => flights));
  const placed = airports.flatMap((airport) => {
    const { x, y } = airport;
    return x === null || y === null ? [] : [{ ...airport, x, y }];
  });
  const places = new Map(placed.map((airport) => [airport.iata, airport]));
  const named = namedOf(placed, NAMED, { x: 34, y: 20 });
  const always = new Set(namedOf(placed, NAMED_SMALL, { x: 80, y: 44 }));
  const dots = placed.toReversed().map((airport) => {
    const share = airport.hours[hour] ?? null;
    const what = `${airport.city} ${airport.iata}: ${shareText(share, locale)}`;
    const radius = Math.max(LEAST, RADIUS * Math.sqrt(airport.flights / most));
    return html`<a
      href=${airportAddress(airport.iata)}
      aria-label=${what}
      aria-current=${airport.iata === at ? 'true' : undefined}
    >
      <title>${what}</title>
      <circle
        class=${share === null ? 'quiet' : riskClass(scoreOfShare(share / 1000))}
        cx=${airport.x}
        cy=${airport.y}
        r=${share === null ? Math.min(2, radius) : radius}
      />
    </a>`;
  });
  const drawing = html`<svg
    viewBox=${`0 0 ${land.width} ${land.height}`}
    role="group"
    aria-label=${`Risk of airports at ${hourText(hour, locale)}; the table has all of them`}
  >
    <path class="land" d=${land.outline} />
    <path class="borders" d=${land.borders} />
    <g class="routes">${routes.map((route) => lineOf(route, hour, places))}</g>
    <g class="airports">${dots}</g>
    <g class="names" aria-hidden="true">
      ${named.map((airport) => {
        const { iata, x, y, flights } = airport;
        const radius = Math.max(LEAST, RADIUS * Math.sqrt(flights / most));
        return html`<text
          class=${always.has(airport) ? '' : 'fine'}
          x=${x}
          y=${y - radius - 3}
          text-anchor="middle"
          >${iata}</text
        >`;
      })}
    </g>
  </svg>`;
  return picture({
    id: 'map',
    title: `Leaving at ${hourText(hour, locale)}`,
    note: `${airports.length} airports and the ${routes.length} busiest routes; larger dots have more flights. Choose an airport to see its page.`,
    drawing,
    table: {
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
    },
    size: 'wide',
  });
}

type Placed = MapAirport & { x: number; y: number };

function lineOf({ origin, dest, hours }: MapRoute, hour: number, places: Map<string, Placed>) {
  const [from, to] = [places.get(origin), places.get(dest)];
  const share = hours[hour] ?? null;
  if (!from || !to || share === null) return undefined;
  // Bent like the way over the globe, to the north.
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const bend = 0.12;
  const side = dx >= 0 ? 1 : -1;
  const middle = {
    x: Math.round((from.x + to.x) / 2 + side * bend * dy),
    y: Math.round((from.y + to.y) / 2 - side * bend * dx),
  };
  return html`<path
    class=${`route ${riskClass(scoreOfShare(share / 1000)).replace('risk', 'line')}`}
    d=${`M${from.x} ${from.y}Q${middle.x} ${middle.y} ${to.x} ${to.y}`}
  />`;
}

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
