import test from 'ava';
import { withLakeSync } from '../../../jobs/wiring/lake-steps.ts';
import type { PipelineSteps } from '../../../pipelines/types.ts';
import type { Warehouse } from '../../../warehouse/build/warehouse.ts';
import { folderLake, type LakeHome } from '../../../warehouse/lake/shared/lake-home.ts';

/**
 * Creates steps on a lake. `calls` contains the names of the called steps and, before each name, the syncs of the lake.
 */
function aWorld(place?: string) {
  const calls: string[] = [];
  const steps = new Proxy({} as PipelineSteps, {
    ownKeys: () => ['refreshNas'],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    get: (_, name) => async () => void calls.push(String(name)),
  });
  const home: LakeHome = {
    ...folderLake((_, work) => work()),
    ...(place !== undefined && { place }),
    refresh: async () => void calls.push('refresh'),
    fetch: async (units) => void calls.push(`fetch ${units?.join(', ') ?? 'all'}`),
    fetchVersions: async ({ month }) => void calls.push(`versions of ${month}`),
  };
  const warehouse = { catchUp: async () => void calls.push('catch up') } as unknown as Warehouse;
  return { calls, steps, synced: withLakeSync(steps, home, (work) => work(warehouse)) };
}

const silent = () => undefined;
const MARCH = { month: '2025-03', tree: 'flights', version: 'v1' } as const;
const FLIGHTS = 'fetch flights/year=2025/month=03';
const LEVELS = 'fetch levels/year=2025/month=03';

test('without a shared lake, the steps are not wrapped', (t) => {
  const { steps, synced } = aWorld();
  t.is(synced, steps);
});

test('with a shared lake, each step first fetches exactly the files it reads', async (t) => {
  const { calls, synced } = aWorld('s3://lake');
  const request = {
    month: '2025-03',
    source: { kind: 'folder', path: '/f' },
    force: false,
  } as const;
  const weather = { ...request, source: 'open-meteo' } as never;
  const expected: [() => Promise<unknown>, string[]][] = [
    [() => synced.extractFile({ path: '/f' }, silent), ['refresh', 'extractFile']],
    [() => synced.extractMonth(request, silent), ['refresh', 'extractMonth']],
    [() => synced.findMonths(silent), ['refresh', 'findMonths']],
    [() => synced.loadMonths(['2025-03'], silent), ['refresh', FLIGHTS, 'loadMonths']],
    [() => synced.loadDelayCauses(['2025-03'], silent), ['refresh', LEVELS, 'loadDelayCauses']],
    [() => synced.restoreMonth(MARCH, silent), ['versions of 2025-03', FLIGHTS, 'restoreMonth']],
    [() => synced.dropMonth(MARCH, silent), ['refresh', FLIGHTS, 'dropMonth']],
    [() => synced.isTrainingDue(), ['refresh', 'isTrainingDue']],
    [() => synced.train({}, silent), ['refresh', 'fetch all', 'train']],
    [() => synced.rebuildWarehouse(silent), ['refresh', 'fetch all', 'rebuildWarehouse']],
    [() => synced.extractWeatherMonth(weather, silent), ['refresh', 'extractWeatherMonth']],
  ];
  for (const [step, order] of expected) {
    await step();
    t.deepEqual(calls.splice(0), order);
  }
});

test('a build first loads months from other machines, and a publish builds first', async (t) => {
  const { calls, synced } = aWorld('s3://lake');
  await synced.buildFeatures(silent);
  t.deepEqual(calls.splice(0), ['refresh', 'catch up', 'buildFeatures']);
  await synced.publishStore(silent);
  t.deepEqual(calls, ['refresh', 'catch up', 'buildFeatures', 'publishStore']);
});
