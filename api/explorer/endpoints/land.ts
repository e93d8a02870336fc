import type { MapData } from '../views/map/map-data.ts';
import { drawMapShapes } from '../drawing-thread.ts';
import { LAND_SIZES, projectionOf, type Region } from '../land-shapes.ts';
import { round } from '../../../warehouse/ground/numbers.ts';

type Place = { longitude: number; latitude: number };
type Point = { x: number; y: number };

/** The background of the map. */
export type Land = MapData['land'] & {
  /** Converts longitude and latitude to map coordinates; undefined outside the map. */
  at: (place: Place) => Point | undefined;
};

const cache = new Map<Region, Promise<Land>>();

/** Returns a map of the region. */
export async function landOf(region: Region): Promise<Land> {
  const land = cache.get(region) ?? drawMap(region);
  cache.set(region, land);
  return land.catch((error: unknown) => {
    cache.delete(region);
    throw error;
  });
}

async function drawMap(region: Region): Promise<Land> {
  const shapes = await drawMapShapes(region);
  return { ...LAND_SIZES[region], ...shapes, at: createProjector(region) };
}

/** Returns the function that converts longitude and latitude to map coordinates. */
export function createProjector(region: Region): Land['at'] {
  const projection = projectionOf(region);
  return ({ longitude, latitude }) => {
    const point = projection([longitude, latitude]);
    return point ? { x: round(point[0], 2), y: round(point[1], 2) } : undefined;
  };
}
