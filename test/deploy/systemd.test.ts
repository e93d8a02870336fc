import { spawnSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { tempDir } from '../jobs/helpers/temp-dir.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const FOLDER = join(ROOT, 'deploy/systemd');
/** Highest allowed exposure level of a service in `systemd-analyze security`, times ten. */
const EXPOSURE_MAX = 30;

const testWithSystemd = spawnSync('systemd-analyze', ['--version']).status === 0 ? test : test.skip;

testWithSystemd(
  'systemd accepts every unit, and each service has an exposure level of 3.0 at most',
  async (t) => {
    const folder = await tempDir(t);
    const names = await readdir(FOLDER);
    t.deepEqual(names.toSorted(), [
      'headwind-api.service',
      'headwind-api.socket',
      'headwind-redis.service',
      'headwind-worker.service',
    ]);
    for (const name of names) {
      const text = await readFile(join(FOLDER, name), 'utf8');
      await writeFile(join(folder, name), text.replaceAll('/opt/headwind', ROOT));
    }
    const run = (...args: string[]) => {
      const { status, stderr } = spawnSync('systemd-analyze', args, {
        cwd: folder,
        encoding: 'utf8',
      });
      return { status, stderr };
    };
    t.deepEqual(run('verify', ...names), { status: 0, stderr: '' });
    for (const name of names.filter((unit) => unit.endsWith('.service'))) {
      t.is(run('security', '--offline=true', `--threshold=${EXPOSURE_MAX}`, name).status, 0, name);
    }
  },
);
