import type { MapData } from '../views/map/map-data.ts';
import { drawMapShapes } from '../drawing-thread.ts';
import { LAND_HEIGHT, LAND_WIDTH, projectionOf, type Region } from '../land-shapes.ts';

type Place = { longitude: number; latitude: number };

/** The background of the map. */
export type Land = MapData['land'] & {
  /** Converts longitude and latitude to map coordinates; undefined outside the map. */
  at: (place: Place) => { x: number; y: number } | undefined;
};

const cache = new Map<Region, Promise<Land>>();

/** Returns a map of the United States. If most places are elsewhere, returns a map of the world. */
export async function landOf(places: readonly Place[]): Promise<Land> {
  const isMostlyUs = 2 * places.filter(createProjector('us')).length >= places.length;
  const region = isMostlyUs ? 'us' : 'world';
  const land = cache.get(region) ?? drawMap(region);
  cache.set(region, land);
  return land.catch((error: unknown) => {
    cache.delete(region);
    throw error;
  });
}

async function drawMap(region: Region): Promise<Land> {
  const shapes = await drawMapShapes(region);
  return { width: LAND_WIDTH, height: LAND_HEIGHT, ...shapes, at: createProjector(region) };
}

function createProjector(region: Region): Land['at'] {
  const projection = projectionOf(region);
  return ({ longitude, latitude }) => {
    const point = projection([longitude, latitude]);
    return point ? { x: Math.round(point[0]), y: Math.round(point[1]) } : undefined;
  };
}
