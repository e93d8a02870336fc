import { appendFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { planRestore } from '../../../jobs/wiring/restore-plan.ts';
import { versionsDir } from '../../../warehouse/lake/versions.ts';
import { monthCsv } from '../helpers/months.ts';
import { pipelineWorld, silent } from '../helpers/pipeline-world.ts';
import { programHere } from '../helpers/program-here.ts';

const REF = { month: '2025-01', tree: 'flights' as const };

/** A lake in which January 2025 was loaded several times, with these numbers of flights. */
async function aLake(t: ExecutionContext, ...sizes: number[]) {
  const world = await pipelineWorld(t, '');
  const { steps, paths, dataDir } = world;
  for (const [at, flights] of sizes.entries()) {
    const path = join(dataDir, `${flights}.csv`);
    await writeFile(path, monthCsv('2025-01', flights, at));
    await steps.extractFile({ path, force: true }, silent);
    await steps.loadMonths(['2025-01'], silent);
  }
  const plan = (version?: string) => planRestore(paths.lakeDir, REF, version);
  const restore = (version: string) => steps.restoreMonth({ ...REF, version, force: true }, silent);
  return { ...world, plan, restore };
}

test('a second restore does not return to the version before the first restore', async (t) => {
  const { plan, restore } = await aLake(t, 300, 290);
  const first = await plan();
  t.like(first, { current: { flights: 290 }, losses: [] });
  await restore(first.version ?? '');
  const second = await plan();
  t.like(second, { current: { flights: 300 } });
  t.is(second.version, undefined);
  t.regex(second.problem ?? '', /no intact version older than the current one; VERSION= restores/);
});

test('a version that is poorer than the current one is restored only with FORCE=1', async (t) => {
  const { plan, restore, dataDir } = await aLake(t, 300, 150);
  const good = await plan();
  t.deepEqual(good.losses, []);
  await restore(good.version ?? '');
  const [half] = (await plan()).versions;
  const { losses } = await plan(half?.id);
  t.regex(losses.join(), /it has 150 flights, the lake 300/);
  const run = await programHere(t, dataDir);
  const refused = await run('restore', '2025-01', half?.id ?? '');
  t.is(refused.code, 1);
  t.regex(refused.out, /2025-01 now {2}300 flights[^]*make restore VERSION=/);
  t.regex(refused.err, /Nothing was changed: .* is poorer: it has 150 flights.*FORCE=1 restores/);
  const dryRun = await run('restore', '2025-01', half?.id ?? '', '--dry-run', '--force');
  t.is(dryRun.code, 0);
  t.regex(dryRun.out, /which is poorer: .*\nNothing was changed, because DRY_RUN=1 is set\n$/);
  t.like(await plan(), { current: { flights: 300 } });
  // The undo command of a restore names the version. It needs no FORCE=1, because that version is richer.
  const forced = await run('restore', '2025-01', half?.id ?? '', '--force');
  t.is(forced.code, 0, forced.err);
  const [, version = ''] =
    /To undo: make restore MONTH=2025-01 VERSION=(\S+)\n/.exec(forced.out) ?? [];
  t.is((await run('restore', '2025-01', version)).code, 0);
  t.like(await plan(), { current: { flights: 300 } });
});

test('a damaged version is listed as damaged and never restored', async (t) => {
  const { plan, paths } = await aLake(t, 300, 310, 320);
  const { versions } = await plan();
  const [newest = { id: '' }, older = { id: '' }] = versions;
  const folder = join(versionsDir(paths.lakeDir, REF), newest.id);
  const name = (await readdir(folder)).find((one) => one.endsWith('.parquet')) ?? '';
  await appendFile(join(folder, name), 'x');
  const damaged = await plan();
  t.deepEqual(
    damaged.versions.map(({ isDamaged }) => isDamaged),
    [true, false],
  );
  t.is(damaged.version, older.id);
  t.like(await plan(newest.id), { problem: `version ${newest.id} of 2025-01 is damaged` });
});
