import { geoAlbersUsa, geoNaturalEarth1, geoPath, type GeoProjection } from 'd3-geo';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** The United States, Alaska and Hawaii set in; or the world. */
export type Which = 'us' | 'world';

/** Outline and inner borders as paths of an SVG. */
export type Shapes = { outline: string; borders: string };

export const [LAND_WIDTH, LAND_HEIGHT] = [960, 600];

/** Shapes with less of an outline than so many points are specks. */
const SPECK = 6;

/** From longitude and latitude to places of the SVG. */
export function projectionOf(which: Which): GeoProjection {
  if (which === 'world') {
    return geoNaturalEarth1().fitSize([LAND_WIDTH, LAND_HEIGHT], { type: 'Sphere' });
  }
  return geoAlbersUsa()
    .scale(1270)
    .translate([LAND_WIDTH / 2, LAND_HEIGHT / 2]);
}

/** The shapes of a map, projected: a tenth of a second. */
export async function shapesOf(which: Which): Promise<Shapes> {
  const { topology, outline, borders } = await atlas(which);
  const whole = topology.objects[outline] as GeometryCollection;
  const parts = topology.objects[borders] as GeometryCollection;
  const path = geoPath(projectionOf(which)).digits(0);
  return {
    outline: plain(path(feature(topology, whole)) ?? ''),
    borders: plain(path(mesh(topology, parts, (a, b) => a !== b)) ?? ''),
  };
}

type Atlas = { topology: Topology; outline: string; borders: string };

async function atlas(which: Which): Promise<Atlas> {
  if (which === 'us') {
    const { default: topology } = await import('us-atlas/states-10m.json', {
      with: { type: 'json' },
    });
    return { topology: topology as never, outline: 'nation', borders: 'states' };
  }
  const { default: topology } = await import('world-atlas/countries-110m.json', {
    with: { type: 'json' },
  });
  return { topology: topology as never, outline: 'land', borders: 'countries' };
}

/** The path without points that fall on the one before, and without specks. */
function plain(path: string): string {
  return path
    .split('M')
    .map((shape) => shape.split('L'))
    .map((points) => points.filter((point, at) => point !== points[at - 1]))
    .filter((points) => points.length >= SPECK)
    .map((points) => `M${points.join('L')}`)
    .join('');
}
