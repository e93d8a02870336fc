import { shareText } from '../format.ts';
import { html } from '../html.ts';
import { airportAddress } from '../places/addresses.ts';
import { mapAddress, shareAt, zoomTo, type MapState } from './map-view.ts';
import type { MapAirport, MapData } from './map-data.ts';

/** An airport with its position in the visible part (`x`, `y`) and on the whole map (`home`). */
export type PlacedAirport = MapAirport & {
  x: number;
  y: number;
  radius: number;
  home: { x: number; y: number };
};

/** A link on the map. `others` are smaller airports that are too close for links of their own. */
type Target = { airport: PlacedAirport; others: PlacedAirport[] };

/**
 * Minimum distances between links, in units of the drawing. On screens from 48 rem, a unit has at least 0.7 pixels, so
 * links are at least 24 pixels wide. On phones from 320 pixels, a unit has at least 0.24 pixels, so links are at least 28
 * pixels wide, for thumbs.
 */
const APART = { wide: 34, small: 115 };

/**
 * Limit for two close airports: flights of the smaller airport, divided by flights of the larger one. The two airports
 * share one link. At or above this limit, the link leads to a closer view. Below it, the link leads to the page of the
 * larger airport.
 */
const MIN_SHARE = 0.2;

/** Groups close airports, so that links never overlap. The busiest airport of a group is first. */
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

/** The links for wide screens and for phones. They are the same at every hour. */
export type Targets = { wide: Target[]; small: Target[] };

/** Groups the airports for wide screens and for phones. */
export function allTargets(airports: readonly PlacedAirport[]): Targets {
  return {
    wide: groupTargets(airports, APART.wide),
    small: groupTargets(airports, APART.small),
  };
}

/**
 * Draws the links of the map. The order is by traffic, so that the tab key reaches the busiest airports first. There is
 * one set of links for wide screens and one for phones; the style sheet shows only one of them.
 */
export function targetLinks(targets: Targets, { state, land, locale }: TargetContext) {
  const layer = (size: 'wide' | 'small') =>
    html`<g class=${`targets ${size}-map`}>
      ${targets[size].map((target) => targetLink(target, APART[size] / 2, { state, land, locale }))}
    </g>`;
  return [layer('wide'), layer('small')];
}

type TargetContext = { state: MapState; land: MapData['land']; locale: string };

/** Maximum number of airports in the name of a link. */
const MAX_CODES = 4;

/** Formats `Zoom in on ATL, CLT, MCO, MIA and 12 more`. */
function groupText(airports: readonly PlacedAirport[]): string {
  const codes = airports.slice(0, MAX_CODES).map(({ iata }) => iata);
  const more = airports.length - codes.length;
  return `Zoom in on ${codes.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}

/** Links to the page of an airport. If close airports have similar traffic, links to a closer view instead. */
function targetLink(
  { airport, others }: Target,
  radius: number,
  { state, land, locale }: TargetContext,
) {
  const similar = others.filter(({ monthly }) => monthly >= MIN_SHARE * airport.monthly);
  const isGroup = similar.length > 0 && state.view.zoom < land.max_zoom;
  const share = shareText(shareAt(airport, state.hour), locale);
  const address = isGroup
    ? mapAddress({ ...state, view: zoomTo(airport.home, state.view, land) })
    : airportAddress(airport.iata);
  return html`<a href=${address} aria-current=${airport.iata === state.at ? 'true' : undefined}>
    <title>
      ${isGroup ? groupText([airport, ...similar]) : `${airport.city} ${airport.iata}: ${share}`}
    </title>
    <circle class="reach" cx=${airport.x} cy=${airport.y} r=${radius} />
    <circle class="ring" cx=${airport.x} cy=${airport.y} r=${airport.radius + 2} />
  </a>`;
}
