import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';

const SESSION = new URL('../../../models/onnx/session.ts', import.meta.url);
const FILES = new URL('../../../models/', import.meta.url);

const OPEN_A_MODEL = `
  const { openModel } = await import('${SESSION}');
  const { MODEL_CONTRACT } = await import('${new URL('features.ts', FILES)}');
  const { readFile } = await import('node:fs/promises');
  await openModel(await readFile(new URL('bundled/model.onnx', '${FILES}')), MODEL_CONTRACT);
  console.log('open');
`;

test('a model that is opened leaves nothing in the home folder', async (t) => {
  const home = await mkdtemp(path.join(tmpdir(), 'headwind-home-'));
  t.teardown(() => rm(home, { recursive: true }));
  const args = ['--input-type=module', '--eval', OPEN_A_MODEL];
  const env = { PATH: process.env['PATH'], HOME: home };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  t.is(stdout, 'open\n');
  t.deepEqual(await readdir(home), []);
});
