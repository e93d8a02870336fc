import test from 'ava';
import {
  clampView,
  mapAddress,
  readMapView,
  stepZoom,
  zoomTo,
} from '../../../api/explorer/views/map/map-view.ts';
import { groupTargets, type PlacedAirport } from '../../../api/explorer/views/map/targets.ts';

const LAND = { width: 960, height: 600, max_zoom: 32, outline: '', borders: '' };
const MAP = { region: 'us', hour: 8, month: null, airline: null } as const;
const ALL = { zoom: 1, x: 480, y: 300 };

const placed = (iata: string, x: number, y: number, flights: number): PlacedAirport => ({
  ...{ iata, city: iata, x, y, flights, monthly: flights, radius: 5, hours: [], day: null },
  home: { x, y },
});

test('the address of the map holds its view, and an invalid view shows the whole map', (t) => {
  const read = (query: string) =>
    readMapView(new URLSearchParams(query), {
      land: LAND,
      airports: [placed('JFK', 800, 200, 9)],
    });
  const view = { zoom: 4, x: 700, y: 200 };
  const address = mapAddress({ ...MAP, hour: 17, month: 7, airline: 'DL', view });
  t.is(address, '/map?hour=17&region=us&month=7&airline=DL&zoom=4&center=700,200');
  t.deepEqual(read(address.split('?')[1] ?? ''), view);
  for (const query of ['', 'zoom=3', 'zoom=4x', 'center=1,2', 'zoom=1&center=0,0']) {
    t.deepEqual(read(query), ALL, query);
  }
  t.is(mapAddress({ ...MAP, region: 'world', view: ALL }), '/map?hour=8');
  const close = { zoom: 32, x: 700.25, y: 200.5 };
  t.deepEqual(read(mapAddress({ ...MAP, view: close }).split('?')[1] ?? ''), close);
  t.deepEqual(read('at=JFK'), { zoom: 4, x: 800, y: 200 });
  t.deepEqual(read('at=QQQ'), ALL);
});

test('the view never leaves the map, and zooming ends at both ends of the scale', (t) => {
  t.deepEqual(clampView({ zoom: 2, x: -50, y: 9_000 }, LAND), { zoom: 2, x: 240, y: 450 });
  t.deepEqual(clampView({ zoom: 1, x: 10, y: 10 }, LAND), ALL);
  t.is(stepZoom(ALL, -1, LAND), undefined);
  t.is(stepZoom({ ...ALL, zoom: 32 }, 1, LAND), undefined);
  t.deepEqual(stepZoom(ALL, 1, LAND), { ...ALL, zoom: 2 });
});

test('airports close together share a link, busiest first, until a closer view separates them', (t) => {
  // New York in units of the whole map.
  const airports = [placed('EWR', 815, 222, 900), placed('JFK', 820.5, 223, 800)];
  const links = groupTargets([...airports, placed('ATL', 690, 400, 700)], 90);
  t.deepEqual(
    links.map(({ airport, others }) => [airport.iata, others.map(({ iata }) => iata)]),
    [
      ['EWR', ['JFK']],
      ['ATL', []],
    ],
  );
  let view = ALL;
  while (view.zoom < LAND.max_zoom) view = zoomTo({ x: 815, y: 222 }, view, LAND);
  const closer = airports.map((one) => ({ ...one, x: one.x * view.zoom, y: one.y * view.zoom }));
  t.is(groupTargets(closer, 90).length, 2);
});
