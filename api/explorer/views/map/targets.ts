import { shareText } from '../format.ts';
import { html } from '../html.ts';
import { airportAddress } from '../places/addresses.ts';
import { mapAddress, zoomTo, ZOOMS, type MapState } from './map-view.ts';
import type { MapAirport } from './map-data.ts';

/** An airport with its position in the drawing (`x`, `y`), and on the whole map (`home`). */
export type PlacedAirport = MapAirport & {
  x: number;
  y: number;
  radius: number;
  home: { x: number; y: number };
};

/** A link of the map: an airport, and the smaller airports too close to it for links of their own. */
type Target = { airport: PlacedAirport; others: PlacedAirport[] };

/**
 * Distances of links in units of the drawing. Links are at least 24 pixels apart and wide, on screens of at least 48 rem
 * (a unit is at least 0.7 pixels there) and on phones of at least 320 pixels (0.3 pixels).
 */
const APART = { wide: 34, small: 90 };

/** An airport with at least this share of its neighbour's flights is worth a closer view of both. */
const MIN_SHARE = 0.2;

/** Groups airports, busiest first, so that the links of two groups never overlap. */
export function groupTargets(airports: readonly PlacedAirport[], apart: number): Target[] {
  const targets: Target[] = [];
  for (const airport of airports) {
    const near = targets.find(
      (one) => Math.hypot(one.airport.x - airport.x, one.airport.y - airport.y) < apart,
    );
    if (near) near.others.push(airport);
    else targets.push({ airport, others: [] });
  }
  return targets;
}

/**
 * Draws the links of the map in order of traffic, so that the tab key visits the busiest airports first. One set of
 * links is for wide screens and one for phones; a style sheet shows one of them.
 */
export function targetLinks(airports: readonly PlacedAirport[], state: MapState, locale: string) {
  const layer = (size: 'wide' | 'small') =>
    html`<g class=${`targets ${size}-map`}>
      ${groupTargets(airports, APART[size]).map((target) =>
        targetLink(target, APART[size] / 2, { state, locale }),
      )}
    </g>`;
  return [layer('wide'), layer('small')];
}

/** A link to the airport's page. Several airports of similar size have a link to a closer view instead. */
function targetLink(
  { airport, others }: Target,
  radius: number,
  { state, locale }: { state: MapState; locale: string },
) {
  const similar = others.filter(({ flights }) => flights >= MIN_SHARE * airport.flights);
  const isGroup = similar.length > 0 && state.view.zoom < (ZOOMS.at(-1) ?? 1);
  const codes = [airport, ...similar].map(({ iata }) => iata).join(', ');
  const share = shareText(airport.hours[state.hour] ?? null, locale);
  const address = isGroup
    ? mapAddress({ ...state, view: zoomTo(airport.home, state.view) })
    : airportAddress(airport.iata);
  return html`<a href=${address} aria-current=${airport.iata === state.at ? 'true' : undefined}>
    <title>${isGroup ? `Zoom in on ${codes}` : `${airport.city} ${airport.iata}: ${share}`}</title>
    <circle class="reach" cx=${airport.x} cy=${airport.y} r=${radius} />
    <circle class="ring" cx=${airport.x} cy=${airport.y} r=${airport.radius + 2} />
  </a>`;
}
