import type { MapData } from '../views/map/map-data.ts';
import { drawLand } from '../drawing-thread.ts';
import { LAND_HEIGHT, LAND_WIDTH, projectionOf, type Which } from '../land-shapes.ts';

type Place = { longitude: number; latitude: number };

/** A map to put airports on. */
export type Land = MapData['land'] & {
  /** Where a place lies on it; undefined off its edge. */
  at: (place: Place) => { x: number; y: number } | undefined;
};

const known = new Map<Which, Promise<Land>>();

/** The United States; or, where most of the places are elsewhere, the world. */
export async function landOf(places: readonly Place[]): Promise<Land> {
  const isHome = 2 * places.filter(placed('us')).length >= places.length;
  const which = isHome ? 'us' : 'world';
  const land = known.get(which) ?? draw(which);
  known.set(which, land);
  return land.catch((error: unknown) => {
    known.delete(which);
    throw error;
  });
}

async function draw(which: Which): Promise<Land> {
  const shapes = await drawLand(which);
  return { width: LAND_WIDTH, height: LAND_HEIGHT, ...shapes, at: placed(which) };
}

function placed(which: Which): Land['at'] {
  const projection = projectionOf(which);
  return ({ longitude, latitude }) => {
    const point = projection([longitude, latitude]);
    return point ? { x: Math.round(point[0]), y: Math.round(point[1]) } : undefined;
  };
}
