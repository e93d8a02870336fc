import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { importsOf, ROOMS, upward } from './rooms.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Files and fixtures that others read, and no rooms. */
const FACTS = new Set([
  'package.json',
  'models/weather-risk.json',
  'jobs/queue/schedule-times.ts',
  'test/fixtures',
]);
/** It plants wrong imports as text. */
const PLANTING = new Set(['test/tooling/import-directions.test.ts', 'test/tooling/rooms.test.ts']);

test('no file imports from a room above its own, types included', async (t) => {
  const listed = execFileSync('git', ['ls-files', '*.ts'], { cwd: ROOT, encoding: 'utf8' });
  const files = listed
    .trim()
    .split('\n')
    .filter((file) => !PLANTING.has(file));
  const imports = await importsOf(ROOT, files);
  t.true(imports.length > 2_000, 'the imports are found');
  t.deepEqual(upward(imports), []);
});

test('an import that runs up or sideways is found, be it of a type or made while running', async (t) => {
  const root = await mkdtemp(path.join(tmpdir(), 'headwind-rooms-'));
  t.teardown(() => rm(root, { recursive: true }));
  const files = {
    'warehouse/lake/lake.ts': "import type { Progress } from '../../pipelines/types.ts';\n",
    'jobs/queue/worker.ts': [
      "import { Worker } from 'bullmq';",
      "import { steps } from '../wiring/steps.ts';",
      'export {',
      '  run,',
      "} from '../cli/run.ts';\n",
    ].join('\n'),
    'jobs/wiring/steps.ts': "const { app } = await import('../../api/app.ts');\n",
    'warehouse/store/open.ts': "import { hash } from '../keyring/hash.ts';\n",
  };
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  }
  t.deepEqual(upward(await importsOf(root, Object.keys(files))), [
    'warehouse/lake/lake.ts → pipelines/types.ts',
    'jobs/queue/worker.ts → jobs/cli/run.ts',
    'jobs/wiring/steps.ts → api/app.ts',
    'warehouse/store/open.ts → warehouse/keyring/hash.ts',
  ]);
});

test('the table of docs/architecture.md has every room, with its rule, in the order of imports', async (t) => {
  const page = await readFile(path.join(ROOT, 'docs/architecture.md'), 'utf8');
  const told = [...page.matchAll(/^\| `([^`]+?)\/?` \| .+ \|$/gm)].map(([, place = '']) => place);
  const rooms = ROOMS.flat().filter((place) => !FACTS.has(place));
  t.deepEqual(
    told.filter((place) => rooms.includes(place)),
    rooms,
  );
});

test('what lies in warehouse/ground/ is stood on by two rooms at least', async (t) => {
  const listed = execFileSync('git', ['ls-files', '*.ts'], { cwd: ROOT, encoding: 'utf8' });
  const imports = await importsOf(ROOT, listed.trim().split('\n'));
  const rooms = new Map<string, Set<string>>();
  for (const { from, to } of imports.filter((one) => one.to.startsWith('warehouse/ground/'))) {
    const [room = ''] = from.split('/');
    if (room !== 'test' && !from.startsWith('warehouse/ground/')) {
      rooms.set(to, (rooms.get(to) ?? new Set()).add(room));
    }
  }
  t.true(rooms.size > 0);
  t.deepEqual(
    [...rooms].filter(([, from]) => from.size < 2),
    [],
  );
});

test('few files lie at the roots of the big rooms', (t) => {
  const count = (folder: string) =>
    execFileSync('git', ['ls-files', `:(glob)${folder}/*`], { cwd: ROOT, encoding: 'utf8' })
      .trim()
      .split('\n').length;
  t.true(count('jobs') <= 3);
  t.true(count('warehouse') <= 8);
});
