import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import test from 'ava';
import { toInstants, isZone, LOCAL, UTC } from '../../../pipelines/weather/file-zone.ts';
import { parseObservations } from '../../../pipelines/weather/observations.ts';
import type { WeatherHour, WeatherPlace } from '../../../pipelines/weather/types.ts';
import { zoneContradiction, type FileStation } from '../../../pipelines/weather/zone-check.ts';
import { DAY_MS } from '../../../warehouse/ground/dates.ts';

const HOUR_MS = 3_600_000;

const PLACES: WeatherPlace[] = [
  { airport: 'EWR', latitude: 40.7, longitude: -74.2, timeZone: 'America/New_York' },
  { airport: 'JFK', latitude: 40.6, longitude: -73.8, timeZone: 'America/New_York' },
  { airport: 'LGA', latitude: 40.8, longitude: -73.9, timeZone: 'America/New_York' },
  { airport: 'PDX', latitude: 45.6, longitude: -122.6, timeZone: 'America/Los_Angeles' },
  { airport: 'SEA', latitude: 47.4, longitude: -122.3, timeZone: 'America/Los_Angeles' },
];

/** Reads the stations of a real file. The hours in the file are in UTC. */
async function readStations(name: string): Promise<FileStation[]> {
  const text = gunzipSync(await readFile(`../shared/data/weather/${name}`)).toString();
  const clockHours = parseObservations(name, text);
  return PLACES.flatMap((place) => {
    const hours = clockHours.get(place.airport);
    return hours === undefined ? [] : [{ place, clockHours: hours }];
  });
}

/** Returns the stations with their hours converted to the airport's local time. */
function toLocalTime(stations: FileStation[]): FileStation[] {
  return stations.map(({ place, clockHours }) => {
    const clock = new Intl.DateTimeFormat('sv-SE', {
      timeZone: place.timeZone,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    const localTime = (hour: WeatherHour) =>
      Date.parse(`${clock.format(hour.at).replace(' ', 'T')}Z`);
    return { place, clockHours: clockHours.map((hour) => ({ ...hour, at: localTime(hour) })) };
  });
}

/** Cuts the stations into consecutive pieces of `days` days. */
function pieces(stations: FileStation[], days: number): FileStation[][] {
  const first = Math.min(
    ...stations.flatMap(({ clockHours }) => clockHours.slice(0, 1).map(({ at }) => at)),
  );
  return Array.from({ length: Math.ceil(366 / days) }, (_, index) => {
    const from = first + index * days * DAY_MS;
    const isIn = ({ at }: WeatherHour) => at >= from && at < from + days * DAY_MS;
    return stations.map(({ place, clockHours }) => ({
      place,
      clockHours: clockHours.filter(isIn),
    }));
  });
}

test('hours in another zone are noticed, and the zone they fit is named', async (t) => {
  const west = (await readStations('pnw_2023_hourly.csv.gz')).slice(0, 1);
  t.regex(
    zoneContradiction(toLocalTime(west), UTC) ?? '',
    /^its hours do not seem to be in UTC: temperature would peak at 0\d:\d\d solar time \(\d+ days\).*use ZONE=local; FORCE=1/,
  );
  t.regex(zoneContradiction(west, LOCAL) ?? '', /temperature would peak at 2\d:.*ZONE=UTC;/);
  t.regex(
    zoneContradiction(west, '+09:00') ?? '',
    /in \+09:00:.*they fit UTC: use ZONE=UTC; FORCE=1/,
  );
  t.is(zoneContradiction(toLocalTime(west), LOCAL), undefined);
  t.is(zoneContradiction(toLocalTime(west), 'America/Los_Angeles'), undefined);
});

test('without temperatures the wind shows the zone', async (t) => {
  const east = (await readStations('nyc_2017_hourly.csv.gz')).slice(0, 2);
  t.is(zoneContradiction(east), undefined);
  t.regex(zoneContradiction(toLocalTime(east)) ?? '', /wind would peak at 10:.*ZONE=local;/);
});

test('no piece of a file in the right zone is refused, for any length and season', async (t) => {
  for (const name of ['pnw_2023_hourly.csv.gz', 'nyc_2017_hourly.csv.gz']) {
    const stations = await readStations(name);
    for (const station of stations) {
      for (const days of [15, 31]) {
        const refused = pieces([station], days).map((piece) => zoneContradiction(piece));
        t.deepEqual(new Set(refused), new Set([undefined]), `${name} ${days}`);
      }
    }
  }
});

test('a file of less than two weeks is not judged', async (t) => {
  const [piece = []] = pieces(
    toLocalTime(await readStations('pnw_2023_hourly.csv.gz')).slice(1),
    12,
  );
  t.is(zoneContradiction(piece), undefined);
});

test('a local hour that occurs twice gives two instants, and a skipped one becomes the next hour', (t) => {
  const localHours = [
    '2017-11-05T00',
    '2017-11-05T01',
    '2017-11-05T01',
    '2017-11-05T02',
    '2017-03-12T02',
  ];
  const hours = localHours.map((text) => ({ at: Date.parse(`${text}:00:00Z`) }));
  t.deepEqual(
    toInstants(hours, 'America/New_York').map(({ at }) => new Date(at).toISOString().slice(0, 13)),
    ['2017-11-05T04', '2017-11-05T05', '2017-11-05T06', '2017-11-05T07', '2017-03-12T07'],
  );
  t.is(toInstants([{ at: 0 }], '+05:30')[0]?.at, -5.5 * HOUR_MS);
  t.is(toInstants([{ at: 0 }], 'Asia/Kathmandu')[0]?.at, -5.5 * HOUR_MS);
});

test('hours are converted exactly where clocks change at half past an hour of UTC', (t) => {
  const hours = ['2023-10-01T01', '2023-10-01T03', '2023-10-01T04'].map((text) => ({
    at: Date.parse(`${text}:00:00Z`),
  }));
  t.deepEqual(
    toInstants(hours, 'Australia/Adelaide').map(({ at }) => new Date(at).toISOString()),
    ['2023-09-30T15:30:00.000Z', '2023-09-30T16:30:00.000Z', '2023-09-30T17:30:00.000Z'],
  );
});

test('a zone is local, UTC, an IANA name or an offset', (t) => {
  t.true(['local', 'UTC', 'America/New_York', '-05:00', 'EST'].every(isZone));
  t.false(['Mars/Olympus', '', 'five', '-5 hours'].some(isZone));
});
