import { geoAlbersUsa, geoNaturalEarth1, geoPath, type GeoProjection } from 'd3-geo';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** `us`: the United States, with Alaska and Hawaii as insets. */
export type Region = 'us' | 'world';

/** Size and highest zoom of each drawing. The highest zoom separates the airports of a city. */
export const LAND_SIZES = {
  us: { width: 960, height: 600, max_zoom: 32 },
  world: { width: 960, height: 460, max_zoom: 128 },
} as const;

/** Outline and inner borders as SVG paths. */
export type Shapes = { outline: string; borders: string };

/** Minimum number of points of a shape. Smaller shapes would not be visible. */
const MIN_POINTS = 6;

/** Returns the function that converts longitude and latitude to SVG coordinates. */
export function projectionOf(region: Region): GeoProjection {
  const { width, height } = LAND_SIZES[region];
  if (region === 'us') {
    return geoAlbersUsa()
      .scale(1270)
      .translate([width / 2, height / 2]);
  }
  const corners: [number, number][] = [
    [EDGE + 0.01, 0],
    [EDGE - 0.01, 0],
    [EDGE + 180, NORTH],
    [EDGE + 180, SOUTH],
  ];
  return geoNaturalEarth1()
    .rotate([-180 - EDGE, 0])
    .fitSize([width, height], { type: 'MultiPoint', coordinates: corners });
}

/** Meridian at both edges of the world map. It passes between Asia and Alaska. */
const EDGE = -169;
/** Latitudes at the upper and lower edge of the world map. There are no airports beyond. */
const [NORTH, SOUTH] = [80, -56];

/** Digits after the decimal point. A view of the world is enlarged more than a view of the United States. */
const DIGITS = { us: 0, world: 1 } as const;

/** Draws the land of a map. This takes a tenth of a second. */
export async function projectShapes(region: Region): Promise<Shapes> {
  const { topology, outline, borders } = await loadAtlas(region);
  const whole = topology.objects[outline] as GeometryCollection;
  const parts = topology.objects[borders] as GeometryCollection;
  const path = geoPath(projectionOf(region)).digits(DIGITS[region]);
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
