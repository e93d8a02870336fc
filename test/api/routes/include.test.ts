import test from 'ava';
import { INCLUDES } from '../../../api/schemas/include.ts';
import { scoreBody } from '../../../api/schemas/score.ts';
import { assessFlight } from '../../../models/score.ts';
import type { LiveInputs } from '../../../models/types.ts';
import type { RecordMonths } from '../../../warehouse/store/types.ts';
import { aStore, effectTable } from '../../helpers/store.ts';
import { anApi, NOW, scoreUrl } from '../helpers/app.ts';

/** JFK has traffic only from 17:00 to 17:59, when AA never departs on the route. */
const rush = {
  ...aStore(),
  congestionByHour: () => Float32Array.from({ length: 24 }, (_, hour) => (hour === 17 ? 1 : 0)),
  departureHours: () => Float32Array.from({ length: 24 }, (_, hour) => (hour === 6 ? 9 : 0)),
  effects: effectTable({ 'hour 17': 1 }),
};

function anAnswer(include: string, live: LiveInputs = {}, changes: Record<string, string> = {}) {
  const call = anApi({ stores: { current: () => rush }, liveInputs: () => live });
  return call(scoreUrl({ include, ...changes }));
}

test('a score depends on the hour of the departure time, and the answer repeats the time', async (t) => {
  const call = anApi({ stores: { current: () => rush } });
  const congestion = async (dep_time: string | undefined) => {
    const { body } = await call(scoreUrl({ dep_time }));
    t.notThrows(() => scoreBody.parse(body));
    t.is((body['input'] as Record<string, unknown>)['dep_time'], dep_time);
    return (body['stats'] as Record<string, unknown>)['congestion_dep'];
  };
  t.is(await congestion('17:00'), 1);
  t.is(await congestion('17:59'), 1);
  t.is(await congestion('00:00'), 0);
  t.is(await congestion('23:59'), 0);
  t.is(await congestion(undefined), 0);
});

test('invalid times are refused', async (t) => {
  const call = anApi();
  for (const dep_time of ['24:00', '7:30', '0730', '07:60', '07:30:00', '07:30Z', 'noon']) {
    t.like(await call(scoreUrl({ dep_time })), {
      status: 400,
      body: { error: 'invalid_parameter', param: 'dep_time' },
    });
  }
});

test('optional parts are included only on request, at the end, in a fixed order', async (t) => {
  const plain = Object.keys((await anApi()(scoreUrl())).body);
  for (const [include, parts] of [
    ['blend', ['blend']],
    ['blend,lineage,blend', ['lineage', 'blend']],
    ['operators,drivers,by_hour,distribution,blend,interval,outlook,lineage', [...INCLUDES]],
  ] as const) {
    const { status, body } = await anAnswer(include);
    t.is(status, 200);
    t.notThrows(() => scoreBody.parse(body));
    t.deepEqual(Object.keys(body), [...plain, ...parts]);
  }
  const both = await anAnswer('blend', {}, { news: 'true' });
  t.deepEqual(Object.keys(both.body), [...plain, 'news', 'blend']);
});

test('an unknown part is refused', async (t) => {
  for (const include of ['everything', 'lineage,', ',lineage', 'Lineage', 'lineage blend']) {
    t.like(await anAnswer(include), {
      status: 400,
      body: {
        error: 'invalid_parameter',
        message:
          'include must be a comma-separated list of lineage, outlook, distribution, interval, by_hour, blend, drivers, operators.',
        param: 'include',
      },
    });
  }
});

test('the lineage has store, months, weather and the days until the flight', async (t) => {
  const fetchedAt = new Date(NOW.getTime() - 95 * 60_000).toISOString();
  const { body } = await anAnswer('lineage', {
    weatherDep: { score: 0.2, condition: 'Rain', basis: 'forecast', fetchedAt },
    weatherArr: { score: 0.2, condition: 'Usually dry', basis: 'climatology' },
  });
  t.deepEqual(body['lineage'], {
    store_version: '20260101T000000Z-abc123',
    attribution: null,
    months: { first: '2025-01', last: '2025-02', count: 2, years: [] },
    record: { first: '2025-01', last: '2026-02' },
    brand: null,
    inferred: [],
    accuracy: null,
    last_flight_date: '2025-02-28',
    levels_until: '2025-12',
    model: null,
    weather_dep: { basis: 'forecast', age_min: 95 },
    weather_arr: { basis: 'climatology', age_min: null },
    news: { age_min: null },
    airport_status: { age_min: null },
    horizon_days: 10,
    unknown: ['event_risk'],
  });
});

test('the record covers the airline, otherwise all airlines on the route, and is null without flights', async (t) => {
  const spans: Record<string, RecordMonths> = {
    AA: { first: '2018-01', last: '2018-12' },
    DL: { first: '2022-02', last: '2025-04' },
  };
  const recordOf = async (changes: Record<string, string>) => {
    const store = {
      ...aStore(),
      recordMonths: (_o: string, _d: string, carrier: string) => spans[carrier],
    };
    const call = anApi({ stores: { current: () => store } });
    const { body } = await call(scoreUrl({ include: 'lineage', ...changes }));
    return (body['lineage'] as { record: unknown }).record;
  };
  t.deepEqual(await recordOf({ airline: 'AA' }), spans['AA']);
  t.deepEqual(await recordOf({ origin: 'LAX', dest: 'JFK', airline: 'DL' }), spans['AA']);
  t.is(await recordOf({ dest: 'AKL' }), null);
});

test('the lineage lists every unknown figure', async (t) => {
  const unknownOf = async (changes: Record<string, string>, store = aStore()) => {
    const call = anApi({ stores: { current: () => store } });
    const { body } = await call(scoreUrl({ include: 'lineage', ...changes }));
    return (body['lineage'] as Record<string, unknown>)['unknown'];
  };
  t.deepEqual(await unknownOf({}), ['weather_dep', 'weather_arr', 'event_risk']);
  const bare = {
    ...aStore(),
    congestion: () => undefined,
    congestionByHour: () => undefined,
  };
  t.deepEqual(await unknownOf({ dest: 'AKL' }, bare), [
    'delay_rate',
    'cancel_rate',
    'congestion_dep',
    'congestion_arr',
    'weather_dep',
    'weather_arr',
    'seasonality',
    'event_risk',
  ]);
});

test('the lineage names the model only if the score uses the model', async (t) => {
  const model = { file: 'model.onnx', version: 'v1', bytes: 1, sha256: '', contract: '' };
  const store = aStore({ manifest: { model } });
  const modelOf = async (mlProbability: number | undefined, dest = 'LAX') => {
    const live = mlProbability === undefined ? {} : { mlProbability };
    const call = anApi({ stores: { current: () => store }, liveInputs: () => live });
    const { body } = await call(scoreUrl({ include: 'lineage', dest }));
    return (body['lineage'] as Record<string, unknown>)['model'];
  };
  t.is(await modelOf(0.4), 'v1');
  t.is(await modelOf(undefined), null, 'the model was refused or failed');
  t.is(await modelOf(0.4, 'AKL'), null, 'there is no history');
});

test('the lineage of a flight today without weather has the horizon 0 and no basis', async (t) => {
  const { body } = await anAnswer('lineage', {}, { date: '2026-03-10' });
  t.like(body['lineage'], {
    weather_dep: { basis: 'none', age_min: null },
    weather_arr: { basis: 'none', age_min: null },
    horizon_days: 0,
  });
});

test('each hour has the same score as a request for this hour', async (t) => {
  const { body } = await anAnswer('by_hour');
  const hours = body['by_hour'] as { hour: number; score: number; label: string }[];
  t.deepEqual(
    hours.map(({ hour }) => hour),
    Array.from({ length: 24 }, (_, hour) => hour),
  );
  for (const dep_time of ['06:00', '17:30']) {
    const { score, label } = (await anAnswer('blend', {}, { dep_time })).body;
    t.deepEqual(hours[Number(dep_time.slice(0, 2))], {
      hour: Number(dep_time.slice(0, 2)),
      score,
      label,
      is_flown: dep_time === '06:00',
    });
  }
  t.true(hours[17]!.score > hours[6]!.score);
});

test('the blend adds up to the score before rounding, with a model and without', async (t) => {
  const plain = (await anAnswer('blend')).body;
  const points = (body: Record<string, unknown>) => body['blend'] as Record<string, number>;
  t.like(points(plain), { statistical_share: 1, ml_share: 0, ml_points: 0 });
  t.is(Math.round(points(plain)['score_before_rounding']!), Number(plain['score']));
  const both = (await anAnswer('blend', { mlProbability: 0.4 })).body;
  t.like(points(both), { statistical_share: 0.7, ml_share: 0.3, ml_points: 12 });
  const { statistical_points, score_before_rounding } = points(both);
  t.true(Math.abs(statistical_points! + 12 - score_before_rounding!) < 0.011);
  t.is(Math.round(score_before_rounding!), Number(both['score']));
});

test('without a model there is no outlook, and the interval covers only the score', async (t) => {
  const { outlook, interval } = (await anAnswer('outlook,interval')).body;
  t.is(outlook, null);
  t.like(interval, { level: 0.9, ml_probability: null });
});

test('an answer without parts assesses its flight once', async (t) => {
  let assessed = 0;
  const call = anApi({
    assess: (query, store, live) => {
      assessed += 1;
      return assessFlight(query, store, live);
    },
  });
  await call(scoreUrl());
  t.is(assessed, 1);
  await call(scoreUrl({ include: 'by_hour' }));
  t.is(assessed, 26);
});

test('each hour says whether the airline departs then; null if its hours are unknown', async (t) => {
  const flownHours = async (changes: Record<string, string>, store = rush) => {
    const call = anApi({ stores: { current: () => store } });
    const { body } = await call(scoreUrl({ include: 'by_hour', ...changes }));
    const hours = body['by_hour'] as { hour: number; is_flown: boolean | null }[];
    return hours.flatMap(({ hour, is_flown }) => (is_flown ? [hour] : []));
  };
  t.deepEqual(await flownHours({}), [6]);
  t.deepEqual(await flownHours({ airline: 'NZ' }), [], 'other airlines fly the route');
  t.deepEqual(await flownHours({ dest: 'AKL' }), [], 'nobody flies the route');
  const call = anApi({ stores: { current: () => ({ ...rush, departureHours: () => undefined }) } });
  const { body } = await call(scoreUrl({ include: 'by_hour' }));
  const hours = body['by_hour'] as { is_flown: boolean | null }[];
  t.deepEqual(new Set(hours.map(({ is_flown }) => is_flown)), new Set([null]));
});

test('a payout is the expected amount by the distribution, and invalid terms are refused', async (t) => {
  const live = { mlProbability: 0.2 };
  const { body } = await anAnswer('distribution', live, {
    payout: '60:100,120:250.50,cancelled:400',
  });
  const { distribution, payout } = scoreBody.parse(body);
  const late = (minutes: number) =>
    distribution?.late.find((one) => one.minutes === minutes)?.probability ?? 0;
  const expected =
    100 * (late(60) - late(120)) +
    250.5 * late(120) +
    400 * (distribution?.cancelled.probability ?? 0);
  t.true(Math.abs((payout?.expected ?? 0) - expected) < 0.006);
  t.deepEqual(
    payout?.terms.map(({ condition }) => condition),
    ['60', '120', 'cancelled'],
  );
  for (const terms of [
    '60',
    '10:5',
    '361:5',
    '60:1,60:2',
    'late:5',
    '60:-1',
    '60:1.234',
    '60:1,',
  ]) {
    t.like(await anAnswer('outlook', live, { payout: terms }), {
      status: 400,
      body: { error: 'invalid_parameter', param: 'payout' },
    });
  }
});
