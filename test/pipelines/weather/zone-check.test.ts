import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import test from 'ava';
import { instants, isZone, LOCAL, UTC } from '../../../pipelines/weather/file-zone.ts';
import { parseObservations } from '../../../pipelines/weather/observations.ts';
import type { WeatherHour, WeatherPlace } from '../../../pipelines/weather/types.ts';
import { zoneContradiction, type ToldStation } from '../../../pipelines/weather/zone-check.ts';
import { DAY_MS } from '../../../warehouse/ground/dates.ts';

const HOUR_MS = 3_600_000;

const PLACES: WeatherPlace[] = [
  { airport: 'EWR', latitude: 40.7, longitude: -74.2, timeZone: 'America/New_York' },
  { airport: 'JFK', latitude: 40.6, longitude: -73.8, timeZone: 'America/New_York' },
  { airport: 'LGA', latitude: 40.8, longitude: -73.9, timeZone: 'America/New_York' },
  { airport: 'PDX', latitude: 45.6, longitude: -122.6, timeZone: 'America/Los_Angeles' },
  { airport: 'SEA', latitude: 47.4, longitude: -122.3, timeZone: 'America/Los_Angeles' },
];

/** The stations of a real file, whose hours are UTC. */
async function real(name: string): Promise<ToldStation[]> {
  const text = gunzipSync(await readFile(`../shared/data/weather/${name}`)).toString();
  const told = parseObservations(name, text);
  return PLACES.flatMap((place) => {
    const hours = told.get(place.airport);
    return hours === undefined ? [] : [{ place, told: hours }];
  });
}

/** The same hours as each airport's own clock told them. */
function byLocalClock(stations: ToldStation[]): ToldStation[] {
  return stations.map(({ place, told }) => {
    const clock = new Intl.DateTimeFormat('sv-SE', {
      timeZone: place.timeZone,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    const read = (hour: WeatherHour) => Date.parse(`${clock.format(hour.at).replace(' ', 'T')}Z`);
    return { place, told: told.map((hour) => ({ ...hour, at: read(hour) })) };
  });
}

/** Pieces of so many days, one after the other. */
function pieces(stations: ToldStation[], days: number): ToldStation[][] {
  const first = Math.min(...stations.flatMap(({ told }) => told.slice(0, 1).map(({ at }) => at)));
  return Array.from({ length: Math.ceil(366 / days) }, (_, index) => {
    const from = first + index * days * DAY_MS;
    const isIn = ({ at }: WeatherHour) => at >= from && at < from + days * DAY_MS;
    return stations.map(({ place, told }) => ({ place, told: told.filter(isIn) }));
  });
}

test('hours that are told by another clock are noticed, and the zone they fit is named', async (t) => {
  const west = (await real('pnw_2023_hourly.csv.gz')).slice(0, 1);
  t.regex(
    zoneContradiction(byLocalClock(west), UTC) ?? '',
    /^its hours are hardly UTC: temperature would be highest at 0\d:\d\d by the sun \(\d+ days\).*ZONE=local; FORCE=1/,
  );
  t.regex(zoneContradiction(west, LOCAL) ?? '', /temperature would be highest at 2\d:.*ZONE=UTC;/);
  t.regex(
    zoneContradiction(west, '+09:00') ?? '',
    /hardly \+09:00.*they fit UTC: ZONE=UTC; FORCE=1/,
  );
  t.is(zoneContradiction(byLocalClock(west), LOCAL), undefined);
  t.is(zoneContradiction(byLocalClock(west), 'America/Los_Angeles'), undefined);
});

test('where temperature is not told the wind tells the clock', async (t) => {
  const east = (await real('nyc_2017_hourly.csv.gz')).slice(0, 2);
  t.is(zoneContradiction(east), undefined);
  t.regex(zoneContradiction(byLocalClock(east)) ?? '', /wind would be highest at 10:.*ZONE=local;/);
});

test('no piece of a file whose hours are right is refused, whatever its length and season', async (t) => {
  for (const name of ['pnw_2023_hourly.csv.gz', 'nyc_2017_hourly.csv.gz']) {
    const stations = await real(name);
    for (const station of stations) {
      for (const days of [15, 31]) {
        const refused = pieces([station], days).map((piece) => zoneContradiction(piece));
        t.deepEqual(new Set(refused), new Set([undefined]), `${name} ${days}`);
      }
    }
  }
});

test('two weeks are the least that a file is judged by', async (t) => {
  const [piece = []] = pieces(byLocalClock(await real('pnw_2023_hourly.csv.gz')).slice(1), 12);
  t.is(zoneContradiction(piece), undefined);
});

test('an hour that clocks go through twice is two, and one they leave out is the next', (t) => {
  const told = [
    '2017-11-05T00',
    '2017-11-05T01',
    '2017-11-05T01',
    '2017-11-05T02',
    '2017-03-12T02',
  ];
  const hours = told.map((text) => ({ at: Date.parse(`${text}:00:00Z`) }));
  t.deepEqual(
    instants(hours, 'America/New_York').map(({ at }) => new Date(at).toISOString().slice(0, 13)),
    ['2017-11-05T04', '2017-11-05T05', '2017-11-05T06', '2017-11-05T07', '2017-03-12T07'],
  );
  t.is(instants([{ at: 0 }], '+05:30')[0]?.at, -5.5 * HOUR_MS);
  t.is(instants([{ at: 0 }], 'Asia/Kathmandu')[0]?.at, -5.5 * HOUR_MS);
});

test('a zone is local, UTC, a name or an offset', (t) => {
  t.true(['local', 'UTC', 'America/New_York', '-05:00', 'EST'].every(isZone));
  t.false(['Mars/Olympus', '', 'five', '-5 hours'].some(isZone));
});
