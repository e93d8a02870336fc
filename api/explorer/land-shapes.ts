import { geoAlbersUsa, geoNaturalEarth1, geoPath, type GeoProjection } from 'd3-geo';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** `us`: the United States, with Alaska and Hawaii as insets. */
export type Region = 'us' | 'world';

/** Outline and inner borders as SVG paths. */
export type Shapes = { outline: string; borders: string };

export const [LAND_WIDTH, LAND_HEIGHT] = [960, 600];

/** Minimum number of points of a shape. Smaller shapes would not be visible. */
const MIN_POINTS = 6;

/** Returns the function that converts longitude and latitude to SVG coordinates. */
export function projectionOf(region: Region): GeoProjection {
  if (region === 'world') {
    return geoNaturalEarth1().fitSize([LAND_WIDTH, LAND_HEIGHT], { type: 'Sphere' });
  }
  return geoAlbersUsa()
    .scale(1270)
    .translate([LAND_WIDTH / 2, LAND_HEIGHT / 2]);
}

/** Draws the land of a map. This takes a tenth of a second. */
export async function projectShapes(region: Region): Promise<Shapes> {
  const { topology, outline, borders } = await loadAtlas(region);
  const whole = topology.objects[outline] as GeometryCollection;
  const parts = topology.objects[borders] as GeometryCollection;
  const path = geoPath(projectionOf(region)).digits(0);
  return {
    outline: simplify(path(feature(topology, whole)) ?? ''),
    borders: simplify(path(mesh(topology, parts, (a, b) => a !== b)) ?? ''),
  };
}

type Atlas = { topology: Topology; outline: string; borders: string };

async function loadAtlas(region: Region): Promise<Atlas> {
  if (region === 'us') {
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

/** Removes repeated points and tiny shapes. */
function simplify(path: string): string {
  return path
    .split('M')
    .map((shape) => shape.split('L'))
    .map((points) => points.filter((point, at) => point !== points[at - 1]))
    .filter((points) => points.length >= MIN_POINTS)
    .map((points) => `M${points.join('L')}`)
    .join('');
}
