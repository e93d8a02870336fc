import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { createSteps } from '../../jobs/wiring/steps.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { readFromDisk } from '../../warehouse/store/disk.ts';
import { openStore } from '../../warehouse/store/open.ts';
import { currentVersion, readFromRedis } from '../../warehouse/store/redis.ts';
import { borrowRedis } from '../helpers/redis.ts';
import { isDiskFull } from '../../warehouse/ground/files.ts';

const DATA = path.join(import.meta.dirname, '../../../shared/data/flights');
const FIRST = path.join(DATA, 'bts_t_ontime_reporting_2021_02.csv.gz');
const SECOND = path.join(DATA, 'phx_iah_2019_12.csv.gz');
const silent = () => undefined;

/** Mounts a disk of 96 MB; needs root. */
async function smallDisk(t: ExecutionContext): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'headwind-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', dir]);
  t.is(mounted.status, 0, mounted.stderr.toString());
  t.teardown(async () => {
    spawnSync('umount', ['-l', dir]);
    await rm(dir, { recursive: true });
  });
  return dir;
}

/** Fills the disk except for `freeBytes` while the work runs. */
async function withFreeBytes<T>(
  dir: string,
  freeBytes: number,
  work: () => Promise<T>,
): Promise<T> {
  const ballast = path.join(dir, 'ballast');
  const { bavail, bsize } = await statfs(dir);
  await writeFile(ballast, Buffer.alloc(Math.max(0, bavail * bsize - freeBytes)));
  try {
    return await work();
  } finally {
    await rm(ballast);
  }
}

const isRoot = process.getuid?.() === 0;

(isRoot ? test : test.skip)(
  'on a full disk each step fails clearly, the old store stays available, and a retry with free space succeeds',
  async (t) => {
    const dir = await smallDisk(t);
    const dataDir = path.join(dir, 'data');
    const server = await borrowRedis((stop) => t.teardown(stop));
    const redis = new Redis(server.url);
    t.teardown(() => redis.disconnect());
    const steps = createSteps({ dataDir, codeVersion: 'test', offline: true }, redis);
    await steps.extractFile({ path: FIRST }, silent);
    await steps.loadMonths(['2021-02'], silent);
    await steps.buildFeatures(silent);
    const { version } = await steps.publishStore(silent);

    const assertStoreServes = async (step: string) => {
      const onDisk = await readFromDisk(dataPaths(dataDir).storeDir);
      t.is(onDisk && openStore(onDisk).manifest.version, version, step);
      const current = await currentVersion(redis);
      t.is(current, version, step);
      t.is(openStore(await readFromRedis(redis, version)).manifest.version, version, step);
    };
    const work: [string, number, () => Promise<unknown>][] = [
      ['extract', 64_000, () => steps.extractFile({ path: SECOND }, silent)],
      ['load', 8_000, () => steps.loadMonths(['2019-12'], silent)],
      ['build', 8_000, () => steps.buildFeatures(silent)],
      ['publish', 400_000, () => steps.publishStore(silent)],
    ];
    for (const [step, freeBytes, run] of work) {
      const error = await withFreeBytes(dir, freeBytes, () => t.throwsAsync(run));
      t.regex(error?.message ?? '', /no space left|disk is full/i, step);
      await assertStoreServes(step);
      await run();
      if (step !== 'publish') await assertStoreServes(step);
    }
    t.not(await currentVersion(redis), version);

    const error = await withFreeBytes(dir, 3_000_000, () =>
      t.throwsAsync(steps.rebuildWarehouse(silent)),
    );
    t.true(isDiskFull(error), error?.message);
    const isTemporary = (name: string) => name.startsWith('.') || name.includes('.tmp');
    t.deepEqual((await readdir(dataDir)).filter(isTemporary), []);
    await steps.rebuildWarehouse(silent);
  },
);
