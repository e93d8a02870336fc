import path from 'node:path';
import test from 'ava';
import { listRunIds, writeRun, type Run } from '../../../../warehouse/lake/ledger.ts';
import { foldRuns, readSummaries } from '../../../../warehouse/lake/run-summaries.ts';
import { aHost, aWorld } from './helpers/hosts.ts';

test('a refresh downloads the runs of all machines; the next tidy uploads missing ones', async (t) => {
  const world = await aWorld(t);
  const [one, other] = [await aHost(t, world), await aHost(t, world)];
  const ids = ['20261031T020000000Z-build-a1', '20261101T020000000Z-load-b2'];
  for (const id of ids) {
    await writeRun(path.join(one.lakeDir, 'runs'), { id, step: 'build' } as Run);
  }
  await one.lake.putRun(ids[1]!);
  await other.lake.refresh();
  t.deepEqual(await listRunIds(path.join(other.lakeDir, 'runs')), [ids[1]]);
  await one.lake.tidy();
  await (await aHost(t, world)).lake.refresh();
  const third = await aHost(t, world);
  await third.lake.refresh();
  t.deepEqual(await listRunIds(path.join(third.lakeDir, 'runs')), ids);
});

test('locally folded runs are not downloaded again, and each is counted once', async (t) => {
  const world = await aWorld(t);
  const [one, other] = [await aHost(t, world), await aHost(t, world)];
  const days = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  for (const day of days) {
    const startedAt = new Date(Date.UTC(2018, 6, day)).toISOString();
    const id = `${startedAt.replaceAll(/[-:.]/g, '')}-load-a${day}`;
    const run = { id, step: 'load', outcome: 'done', startedAt, finishedAt: startedAt } as Run;
    await writeRun(path.join(one.lakeDir, 'runs'), run);
    await one.lake.putRun(id);
  }
  await other.lake.refresh();
  const runsDir = path.join(other.lakeDir, 'runs');
  t.is((await listRunIds(runsDir)).length, 10);
  t.is(await foldRuns(runsDir, new Date()), 9, 'the newest run stays');
  const before = world.server.requests.length;
  for (const _hour of [1, 2, 3]) {
    await other.lake.refresh();
    t.is(await foldRuns(runsDir, new Date()), 0);
    t.is((await listRunIds(runsDir)).length, 1);
  }
  t.deepEqual(
    (await readSummaries(runsDir)).map(({ runCount }) => runCount),
    [9],
  );
  const fetched = world.server.requests
    .slice(before)
    .filter((request) => request.includes('lake/runs/'));
  t.deepEqual(fetched, []);
});
