import type { IncomingMessage } from 'node:http';
import test from 'ava';
import fc from 'fast-check';
import { trustedProxies, visitorAddress } from '../../../api/explorer/visitor.ts';
import {
  outcomesOf100,
  contributionSteps,
  OUTCOMES,
} from '../../../api/explorer/views/flight/figures.ts';
import type { FullScore } from '../../../api/explorer/views/flight/flight-data.ts';
import { flightAddress, flightSource } from '../../../api/explorer/views/flight/address.ts';
import { matchPath } from '../../../api/explorer/views/page.ts';
import { riskClass } from '../../../api/explorer/views/risk.ts';
import { riskLabel } from '../../../models/label.ts';
import { localeOf } from '../../../api/explorer/routes.ts';

const OUTLOOK = {
  under_15: 0.7616,
  from_15_to_30: 0.0686,
  from_30_to_60: 0.078,
  from_60_to_120: 0.0543,
  over_120: 0.0346,
  diverted: 0,
  cancelled: 0.0029,
  beyond_120: { from_120_to_180: 0.02, over_180: 0.0146 },
};

test('the outcomes of 100 flights add up to 100, each within one flight of its share', (t) => {
  t.deepEqual(
    outcomesOf100(OUTLOOK).map(({ of100 }) => of100),
    [76, 7, 8, 5, 4, 0, 0],
  );
  const shares = fc
    .array(fc.nat(1_000), { minLength: OUTCOMES.length, maxLength: OUTCOMES.length })
    .filter((parts) => parts.some((part) => part > 0));
  t.notThrows(() =>
    fc.assert(
      fc.property(shares, (parts) => {
        const sum = parts.reduce((all, part) => all + part, 0);
        const outlook = {
          ...OUTLOOK,
          ...Object.fromEntries(OUTCOMES.map(({ key }, at) => [key, parts[at]! / sum])),
        };
        const counted = outcomesOf100(outlook);
        const isNear = counted.every(
          ({ of100, share }) => Math.abs(of100 - 100 * share) < 1 + 1e-6,
        );
        return isNear && counted.reduce((all, { of100 }) => all + of100, 0) === 100;
      }),
    ),
  );
});

test('the waterfall leads from an average flight to the score, without gaps', (t) => {
  const parts = fc.record({
    contributions: fc.array(fc.integer({ min: -2_000, max: 4_000 }), {
      minLength: 6,
      maxLength: 6,
    }),
    model: fc.nat(3_000),
    averageModel: fc.nat(3_000),
    hasModel: fc.boolean(),
  });
  t.notThrows(() =>
    fc.assert(
      fc.property(parts, ({ contributions, hasModel, ...points }) => {
        const [model, averageModel] = hasModel ? [points.model, points.averageModel] : [0, 0];
        const factors = contributions.map((hundredths, at) => ({
          key: KEYS[at]!,
          points: hundredths / 100,
        }));
        const before = 40 + contributions.reduce((sum, one) => sum + one, model) / 100;
        const score = Math.min(100, Math.max(0, Math.round(before)));
        const steps = contributionSteps({
          drivers: { average_points: 40, average_ml_points: averageModel / 100, factors },
          blend: { ml_points: model / 100, ml_share: hasModel ? 0.3 : 0 },
          lineage: { unknown: ['delay_rate', 'weather_dep'] },
          score,
        } as FullScore);
        const modelSteps = steps.filter(({ key }) => key === 'model').length;
        const hasNoGap = steps.every(({ from }, at) => from === (steps[at - 1]?.to ?? 0));
        const adds = steps.every(({ from, to, points }) => Math.abs(to - from - points) < 1e-6);
        const placeholders = steps.filter(({ isPlaceholder }) => isPlaceholder);
        const isMarked = placeholders.map(({ key }) => key).join() === 'delay_rate';
        const startsAtAverage =
          steps[0]?.key === 'average' && steps[0].to === (4_000 + averageModel) / 100;
        return (
          modelSteps === Number(hasModel) &&
          startsAtAverage &&
          hasNoGap &&
          adds &&
          isMarked &&
          steps.at(-1)?.to === score
        );
      }),
    ),
  );
});

const KEYS = [
  'delay_rate',
  'cancel_rate',
  'congestion',
  'weather',
  'seasonality',
  'event_risk',
] as const;

test('a flight page and its data address describe the same flight', (t) => {
  const flight = {
    origin: 'JFK',
    dest: 'LAX',
    airline: 'DL',
    date: '2026-12-21',
    depTime: '18:30',
  };
  t.is(flightAddress(flight), '/flights/JFK-LAX-DL-2026-12-21?dep_time=18:30');
  t.is(
    flightSource('JFK-LAX-DL-2026-12-21', '18:30'),
    '/explorer/flight?origin=JFK&dest=LAX&airline=DL&date=2026-12-21&dep_time=18%3A30',
  );
});

test('no colour of the scale spans two bands', (t) => {
  const labels = new Map<string, Set<string>>();
  for (let score = 0; score <= 100; score++) {
    const step = riskClass(score);
    labels.set(step, (labels.get(step) ?? new Set()).add(riskLabel(score)));
  }
  t.is(labels.size, 10);
  t.true([...labels.values()].every((bands) => bands.size === 1));
});

test('a visitor is an IPv4 address or an IPv6 /64, and only trusted proxies may forward addresses', (t) => {
  const visitorOf = (peer: string, forwarded?: string, ...proxies: string[]) => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const request = { headers, socket: { remoteAddress: peer } } as unknown as IncomingMessage;
    return visitorAddress(request, trustedProxies(proxies));
  };
  t.is(visitorOf('203.0.113.7'), '203.0.113.7');
  t.is(visitorOf('::ffff:203.0.113.7'), '203.0.113.7');
  t.is(visitorOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  t.is(visitorOf('2001:db8:1:2:ffff::1'), visitorOf('2001:db8:1:2::9'));
  t.is(visitorOf('203.0.113.7', '198.51.100.1'), '203.0.113.7');
  t.is(visitorOf('10.0.0.2', '198.51.100.1', '10.0.0.0/8'), '198.51.100.1');
  // The visitor may have invented the first address.
  t.is(visitorOf('10.0.0.2', '192.0.2.9, 198.51.100.1', '10.0.0.0/8'), '198.51.100.1');
  t.is(visitorOf('10.0.0.2', 'nonsense', '10.0.0.0/8'), 'unknown');
});

test('figures use the first language in Accept-Language', (t) => {
  t.is(localeOf('de-DE,de;q=0.9,en;q=0.8'), 'en-GB');
  t.is(localeOf('en-US,de;q=0.9'), 'en-US');
  t.is(localeOf(''), 'en-GB');
  t.is(localeOf('*'), 'en-GB');
  t.is(localeOf('"><script>'), 'en-GB');
});

test('a path that matches its pattern gives its parts, with any content', (t) => {
  const at = (path: string) => matchPath('/routes/:route/airlines/:airline', path);
  t.deepEqual(at('/routes/JFK-LAX/airlines/AA'), { route: 'JFK-LAX', airline: 'AA' });
  t.deepEqual(at('/routes/a%20b/airlines/%zz'), { route: 'a b', airline: '%zz' });
  for (const other of ['/routes/JFK-LAX', '/routes//airlines/AA', '/route/JFK-LAX/airlines/AA']) {
    t.is(at(other), undefined, other);
  }
  t.deepEqual(matchPath('/', '/'), {});
});
