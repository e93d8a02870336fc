import { html } from '../html.ts';
import { scoreOfShare } from '../places/shares.ts';
import { riskClass, riskStep } from '../risk.ts';
import { shareAt } from './map-view.ts';
import type { PlacedAirport } from './targets.ts';

/** Radius of the dot of an airport without flights in the hour. */
const QUIET_RADIUS = 2;
/** Dots with a radius above this value are large. Large dots are drawn above small dots. */
const LARGE_RADIUS = 4;

/**
 * Draws the dots. Dots of one colour and size class form one shape, because browsers redraw a few shapes faster than
 * hundreds.
 */
export function airportDots(places: readonly PlacedAirport[], hour: number) {
  const shapes = new Map<string, { name: string; shape: string }>();
  for (const isLarge of [false, true]) {
    for (const { x, y, radius, ...shares } of places) {
      if (radius > LARGE_RADIUS !== isLarge) continue;
      const share = shareAt(shares, hour);
      const name = dotClass(share, shares.day !== null);
      const key = `${name} ${isLarge}`;
      const { shape } = shapes.get(key) ?? { shape: '' };
      const size = share === null ? Math.min(QUIET_RADIUS, radius) : radius;
      shapes.set(key, { name, shape: shape + circlePath(x, y, size) });
    }
  }
  return [...shapes.values()].map(({ name, shape }) => html`<path class=${name} d=${shape} />`);
}

function circlePath(x: number, y: number, radius: number): string {
  const size = radius.toFixed(1);
  const width = (2 * Number(size)).toFixed(1);
  return `M${(x - Number(size)).toFixed(1)} ${y}a${size} ${size} 0 1 0 ${width} 0a${size} ${size} 0 1 0 -${width} 0z`;
}

/** Returns the CSS class of a dot. A hollow dot shows the share of the whole day. */
function dotClass(share: number | null, isAllDay: boolean): string {
  if (share === null) return 'quiet';
  const score = scoreOfShare(share / 1000);
  return isAllDay ? `all-day line-${riskStep(score)}` : riskClass(score);
}
