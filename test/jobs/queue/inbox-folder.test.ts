import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { listInbox, moveFromInbox, prepareInbox } from '../../../jobs/queue/inbox-folder.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const END = { outcome: 'done', why: '2018-01 loaded', at: new Date(0) } as const;
const MOVED = '19700101T000000Z-a.csv';

async function aSeenFile(t: ExecutionContext) {
  const folder = await tempDir(t);
  await prepareInbox(folder);
  const path = join(folder, 'a.csv');
  await writeFile(path, 'old');
  const [file] = await listInbox(folder);
  return { folder, path, file: file! };
}

test('a file that was replaced before its move stays in the inbox', async (t) => {
  const { folder, path, file } = await aSeenFile(t);
  await writeFile(path, 'newer');
  t.is(await moveFromInbox(file, END), undefined);
  t.is(await readFile(path, 'utf8'), 'newer');
  t.deepEqual(await readdir(join(folder, 'done')), []);
});

test('a move can run again after an interruption', async (t) => {
  const { folder, file } = await aSeenFile(t);
  for (const _ of [1, 2]) t.is(await moveFromInbox(file, END), MOVED);
  t.deepEqual((await readdir(join(folder, 'done'))).toSorted(), [MOVED, `${MOVED}.txt`]);
});

test('a new file that appears during the move does not count as moved', async (t) => {
  const { folder, path, file } = await aSeenFile(t);
  await moveFromInbox(file, END);
  await writeFile(path, 'a new file');
  t.is((await listInbox(folder)).length, 1);
  t.is(await readFile(join(folder, 'done', MOVED), 'utf8'), 'old');
});
