import test from 'ava';
import { assembleRows } from '../../models/assemble.ts';
import { FEATURES } from '../../models/features.ts';
import { aStore, effectTable } from '../helpers/store.ts';

const QUERY = {
  origin: 'JFK',
  dest: 'LAX',
  carrier: 'DL',
  flightDate: '2026-07-06',
  crsDepHour: 19,
};

const EFFECTS: Record<string, number> = {
  'carrier_level DL': -0.3,
  'origin_level JFK': 0.15,
  'dest_level LAX': -0.05,
  'origin_half_year_level JFKS': 0.06,
  'dest_half_year_level LAXW': 0.07,
  'origin_carrier_level JFKDL': 0.02,
  'dest_carrier_level LAXDL': 0.03,
  'hour 19': 0.4,
  'half_year_hour S19': 0.05,
  'origin_half_year_hours JFK@S6': -0.1,
  'carrier DL': -0.2,
  'origin_hours JFK@9': 0.1,
};

const STORE = {
  ...aStore(),
  monthOdds: (month: number) => (month === 7 ? Math.E : 1),
  effects: effectTable(EFFECTS),
};

function features(query: typeof QUERY | Omit<typeof QUERY, 'crsDepHour'>): Record<string, number> {
  const hour = 'crsDepHour' in query ? query.crsDepHour : Number.NaN;
  const row = assembleRows(query, [hour], STORE, {});
  return Object.fromEntries(FEATURES.map(({ name }, at) => [name, row[at] ?? Number.NaN]));
}

test('features are in the order of the contract, and effects are looked up by codes and blocks of hours', (t) => {
  const { distance_km: distance, ...rest } = features(QUERY);
  t.deepEqual(rest, {
    month_odds: 1,
    weekday_odds: 0,
    holiday_odds: 0,
    weather_odds: 0,
    carrier_level_effect: Math.fround(-0.3),
    origin_level_effect: Math.fround(0.15),
    dest_level_effect: Math.fround(-0.05),
    origin_half_year_level_effect: Math.fround(0.06),
    dest_half_year_level_effect: 0,
    origin_carrier_level_effect: Math.fround(0.02),
    dest_carrier_level_effect: Math.fround(0.03),
    hour_effect: Math.fround(0.4),
    half_year_hour_effect: Math.fround(0.05),
    carrier_effect: Math.fround(-0.2),
    origin_effect: 0,
    dest_effect: 0,
    origin_carrier_effect: 0,
    route_effect: 0,
    route_carrier_effect: 0,
    carrier_hours_effect: 0,
    origin_hours_effect: Math.fround(0.1),
    dest_hours_effect: 0,
    route_carrier_hours_effect: 0,
    origin_half_year_hours_effect: Math.fround(-0.1),
    dep_hour: 19,
  });
  t.true(Math.abs((distance ?? 0) - 3975) < 10);
});

test('without an hour only the features that need one are missing', (t) => {
  const { crsDepHour: _, ...query } = QUERY;
  const missing = Object.entries(features(query)).flatMap(([name, value]) =>
    Number.isNaN(value) ? name : [],
  );
  t.deepEqual(missing, [
    'hour_effect',
    'half_year_hour_effect',
    'carrier_hours_effect',
    'origin_hours_effect',
    'dest_hours_effect',
    'route_carrier_hours_effect',
    'origin_half_year_hours_effect',
    'dep_hour',
  ]);
});

test('half-year effects are multiplied by the depth of the season', (t) => {
  const on = (flightDate: string) => features({ ...QUERY, flightDate });
  const may = on('2026-05-31');
  t.is(may.half_year_hour_effect, Math.fround(0.5 * Math.fround(0.05)));
  t.is(may.origin_half_year_level_effect, Math.fround(0.5 * Math.fround(0.06)));
  t.is(may.hour_effect, Math.fround(0.4));
  t.is(on('2026-04-01').half_year_hour_effect, 0);
  const january = on('2026-01-15');
  t.is(january.dest_half_year_level_effect, Math.fround(0.07));
  t.is(january.origin_half_year_level_effect, 0);
  t.is(january.half_year_hour_effect, 0);
});
