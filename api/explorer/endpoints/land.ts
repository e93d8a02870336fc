import { geoAlbersUsa, geoNaturalEarth1, geoPath, type GeoProjection } from 'd3-geo';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { MapData } from '../views/map/map-data.ts';

/** A map to put airports on. */
export type Land = MapData['land'] & {
  /** Where a place lies on it; undefined off its edge. */
  at: (place: { longitude: number; latitude: number }) => { x: number; y: number } | undefined;
};

type Atlas = { projection: GeoProjection; topology: Topology; outline: string; borders: string };

const [WIDTH, HEIGHT] = [960, 600];

/** Shapes with less of an outline than so many points are specks. */
const SPECK = 6;

const known = new Map<'us' | 'world', Promise<Land>>();

/** The United States, Alaska and Hawaii set in; or, where most of the places are elsewhere, the world. */
export async function landOf(
  places: readonly { longitude: number; latitude: number }[],
): Promise<Land> {
  const us = await drawn('us');
  const isHome = 2 * places.filter((place) => us.at(place)).length >= places.length;
  return isHome ? us : drawn('world');
}

function drawn(which: 'us' | 'world'): Promise<Land> {
  const land = known.get(which) ?? draw(which);
  known.set(which, land);
  return land;
}

async function draw(which: 'us' | 'world'): Promise<Land> {
  const { projection, topology, outline, borders } = await atlas(which);
  const whole = topology.objects[outline] as GeometryCollection;
  const parts = topology.objects[borders] as GeometryCollection;
  const path = geoPath(projection).digits(0);
  const at: Land['at'] = ({ longitude, latitude }) => {
    const point = projection([longitude, latitude]);
    return point ? { x: Math.round(point[0]), y: Math.round(point[1]) } : undefined;
  };
  return {
    width: WIDTH,
    height: HEIGHT,
    outline: plain(path(feature(topology, whole)) ?? ''),
    borders: plain(path(mesh(topology, parts, (a, b) => a !== b)) ?? ''),
    at,
  };
}

async function atlas(which: 'us' | 'world'): Promise<Atlas> {
  if (which === 'us') {
    const { default: topology } = await import('us-atlas/states-10m.json', {
      with: { type: 'json' },
    });
    const projection = geoAlbersUsa()
      .scale(1270)
      .translate([WIDTH / 2, HEIGHT / 2]);
    return { projection, topology: topology as never, outline: 'nation', borders: 'states' };
  }
  const { default: topology } = await import('world-atlas/countries-110m.json', {
    with: { type: 'json' },
  });
  const projection = geoNaturalEarth1().fitSize([WIDTH, HEIGHT], { type: 'Sphere' });
  return { projection, topology: topology as never, outline: 'land', borders: 'countries' };
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
