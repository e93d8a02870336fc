import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { limitLiveArchive } from '../../../warehouse/live/live-archive-limit.ts';
import {
  readPart,
  readStates,
  recordState,
  savePart,
  verifyLiveArchive,
} from '../../../warehouse/live/live-archive.ts';
import { tempDir } from '../../jobs/helpers/temp-dir.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const OLD = new Date('2026-11-10T12:00:00Z');

/** Archives a text of about 7 kB, in use on a day. Returns its sha256. */
async function archive(liveDir: string, day: string): Promise<string | null> {
  const forecasts = await savePart(liveDir, randomBytes(3_500).toString('hex'));
  const state = { store: 'v1', forecasts, news: null, nas: null, newsAt: null };
  await recordState(liveDir, state, { at: new Date(`${day}T10:00:00Z`), code: 'test' });
  return forecasts;
}

async function anArchive(t: ExecutionContext) {
  const liveDir = await tempDir(t);
  const hashes: (string | null)[] = [];
  for (const day of ['2026-11-12', '2026-11-13', '2026-11-14']) {
    hashes.push(await archive(liveDir, day));
  }
  const parts = join(liveDir, 'parts');
  for (const name of await readdir(parts)) await utimes(join(parts, name), OLD, OLD);
  const { bytes } = await verifyLiveArchive(liveDir);
  return { liveDir, hashes, bytes, parts };
}

const days = async (liveDir: string) =>
  (await readStates(liveDir)).map(({ at }) => at.slice(0, 10));

test('above its limit, the archive loses its oldest days and names them', async (t) => {
  const { liveDir, hashes, bytes, parts } = await anArchive(t);
  const roomy = { now: NOW, minFreeBytes: 1e9, freeBytes: () => Promise.resolve(1e12) };
  t.deepEqual(await limitLiveArchive(liveDir, { ...roomy, maxBytes: bytes }), []);
  t.deepEqual(await limitLiveArchive(liveDir, { ...roomy, maxBytes: bytes - 1 }), ['2026-11-12']);
  t.deepEqual(await days(liveDir), ['2026-11-13', '2026-11-14']);
  t.deepEqual(
    (await readdir(parts)).toSorted(),
    hashes
      .slice(1)
      .map((hash) => `${hash}.gz`)
      .toSorted(),
  );
  t.deepEqual(await limitLiveArchive(liveDir, { ...roomy, maxBytes: 0 }), ['2026-11-13']);
  t.deepEqual(await days(liveDir), ['2026-11-14'], 'the newest day stays');
});

test('on a disk with too little free space, the archive removes its oldest days until enough is free', async (t) => {
  const { liveDir } = await anArchive(t);
  const full = { now: NOW, maxBytes: 1e12, minFreeBytes: 1e9 };
  const freeBytes = () => Promise.resolve(1e9 - 1);
  t.deepEqual(await limitLiveArchive(liveDir, { ...full, freeBytes }), ['2026-11-12']);
});

test('an archive that is smaller than the missing space loses no day, unless it is above its limit', async (t) => {
  const { liveDir, bytes } = await anArchive(t);
  const full = { now: NOW, minFreeBytes: 1e9, freeBytes: () => Promise.resolve(0.9e9) };
  t.deepEqual(await limitLiveArchive(liveDir, { ...full, maxBytes: 1e12 }), []);
  t.deepEqual(await limitLiveArchive(liveDir, { ...full, maxBytes: bytes - 1 }), ['2026-11-12']);
});

test('a damaged part is reported, and written again when the same text returns', async (t) => {
  const liveDir = await tempDir(t);
  const hash = (await savePart(liveDir, 'some forecasts')) ?? '';
  await writeFile(join(liveDir, 'parts', `${hash}.gz`), 'damaged');
  t.deepEqual((await verifyLiveArchive(liveDir)).damaged, [`${hash}.gz`]);
  await savePart(liveDir, 'some forecasts');
  t.is(await readPart(liveDir, hash), 'some forecasts');
  t.deepEqual((await verifyLiveArchive(liveDir)).damaged, []);
});
