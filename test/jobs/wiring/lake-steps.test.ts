import test from 'ava';
import { stepsAtHand } from '../../../jobs/wiring/lake-steps.ts';
import type { PipelineSteps } from '../../../pipelines/types.ts';
import type { Warehouse } from '../../../warehouse/build/warehouse.ts';
import { folderLake, type LakeHome } from '../../../warehouse/lake/shared/lake-home.ts';

/** Steps on a lake, and what is done in order: a step by its name, what is had at hand by what it is. */
function aWorld(place?: string) {
  const done: string[] = [];
  const steps = new Proxy({} as PipelineSteps, {
    ownKeys: () => ['refreshNas'],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    get: (_, name) => async () => void done.push(String(name)),
  });
  const home: LakeHome = {
    ...folderLake((_, work) => work()),
    ...(place !== undefined && { place }),
    refresh: async () => void done.push('refresh'),
    fetch: async (units) => void done.push(`fetch ${units?.join(', ') ?? 'all'}`),
    fetchVersions: async ({ month }) => void done.push(`versions of ${month}`),
  };
  const warehouse = { catchUp: async () => void done.push('catch up') } as unknown as Warehouse;
  return { done, steps, atHand: stepsAtHand(steps, home, (work) => work(warehouse)) };
}

const quiet = () => undefined;
const MARCH = { month: '2025-03', tree: 'flights', version: 'v1' } as const;
const FLIGHTS = 'fetch flights/year=2025/month=03';
const LEVELS = 'fetch levels/year=2025/month=03';

test('on a lake of this machine alone the steps are as they are', (t) => {
  const { steps, atHand } = aWorld();
  t.is(atHand, steps);
});

test('on a shared lake each step has at hand what it reads, and no more', async (t) => {
  const { done, atHand } = aWorld('s3://lake');
  const request = {
    month: '2025-03',
    source: { kind: 'folder', path: '/f' },
    force: false,
  } as const;
  const weather = { ...request, source: 'open-meteo' } as never;
  const expected: [() => Promise<unknown>, string[]][] = [
    [() => atHand.extractFile({ path: '/f' }, quiet), ['refresh', 'extractFile']],
    [() => atHand.extractMonth(request, quiet), ['refresh', 'extractMonth']],
    [() => atHand.findMonths(quiet), ['refresh', 'findMonths']],
    [() => atHand.loadMonths(['2025-03'], quiet), ['refresh', FLIGHTS, 'loadMonths']],
    [() => atHand.loadDelayCauses(['2025-03'], quiet), ['refresh', LEVELS, 'loadDelayCauses']],
    [() => atHand.restoreMonth(MARCH, quiet), ['versions of 2025-03', FLIGHTS, 'restoreMonth']],
    [() => atHand.dropMonth(MARCH, quiet), ['refresh', FLIGHTS, 'dropMonth']],
    [() => atHand.isTrainingDue(), ['refresh', 'isTrainingDue']],
    [() => atHand.train({}, quiet), ['refresh', 'fetch all', 'train']],
    [() => atHand.rebuildWarehouse(quiet), ['refresh', 'fetch all', 'rebuildWarehouse']],
    [() => atHand.extractWeatherMonth(weather, quiet), ['refresh', 'extractWeatherMonth']],
  ];
  for (const [step, order] of expected) {
    await step();
    t.deepEqual(done.splice(0), order);
  }
});

test('a build takes in what other machines brought, and a publish builds before', async (t) => {
  const { done, atHand } = aWorld('s3://lake');
  await atHand.buildFeatures(quiet);
  t.deepEqual(done.splice(0), ['refresh', 'catch up', 'buildFeatures']);
  await atHand.publishStore(quiet);
  t.deepEqual(done, ['refresh', 'catch up', 'buildFeatures', 'publishStore']);
});
