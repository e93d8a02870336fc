import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { listImports, ROOMS, wrongImports } from './rooms.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Entries of ROOMS that are data files or fixtures, not rooms. */
const DATA_FILES = new Set([
  'package.json',
  'models/weather-risk.json',
  'jobs/queue/schedule-times.ts',
  'test/fixtures',
]);
/** Tests that contain wrong imports as text. */
const WRONG_IMPORTS = new Set([
  'test/tooling/import-directions.test.ts',
  'test/tooling/rooms.test.ts',
]);

test('no file imports from a room above its own, not even types', async (t) => {
  const listed = execFileSync('git', ['ls-files', '*.ts'], { cwd: ROOT, encoding: 'utf8' });
  const files = listed
    .trim()
    .split('\n')
    .filter((file) => !WRONG_IMPORTS.has(file));
  const imports = await listImports(ROOT, files);
  t.true(imports.length > 2_000, 'the pattern finds imports');
  t.deepEqual(wrongImports(imports), []);
});

test('an import that runs up or sideways is found, including type imports and dynamic imports', async (t) => {
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
  t.deepEqual(wrongImports(await listImports(root, Object.keys(files))), [
    'warehouse/lake/lake.ts → pipelines/types.ts',
    'jobs/queue/worker.ts → jobs/cli/run.ts',
    'jobs/wiring/steps.ts → api/app.ts',
    'warehouse/store/open.ts → warehouse/keyring/hash.ts',
  ]);
});

test('the table of docs/architecture.md has every room with its rule, in the order of imports', async (t) => {
  const page = await readFile(path.join(ROOT, 'docs/architecture.md'), 'utf8');
  const rows = [...page.matchAll(/^\| ((?:`[^`]+`(?:, )?)+) \| .+ \|$/gm)];
  const tableRooms = rows.map(([, places = '']) =>
    [...places.matchAll(/`([^`]+?)\/?`/g)].map(([, place = '']) => place),
  );
  const rooms = ROOMS.map((places) => places.filter((place) => !DATA_FILES.has(place)));
  t.deepEqual(
    tableRooms.filter(([place = '']) => rooms.flat().includes(place)),
    rooms.filter((places) => places.length > 0),
  );
});

test('every file of warehouse/ground/ is imported by at least two rooms', async (t) => {
  const listed = execFileSync('git', ['ls-files', '*.ts'], { cwd: ROOT, encoding: 'utf8' });
  const imports = await listImports(ROOT, listed.trim().split('\n'));
  const rooms = new Map<string, Set<string>>();
  for (const { from, to } of imports.filter((entry) => entry.to.startsWith('warehouse/ground/'))) {
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

test('the roots of jobs/ and warehouse/ have at most 3 and 8 files', (t) => {
  const count = (folder: string) =>
    execFileSync('git', ['ls-files', `:(glob)${folder}/*`], { cwd: ROOT, encoding: 'utf8' })
      .trim()
      .split('\n').length;
  t.true(count('jobs') <= 3);
  t.true(count('warehouse') <= 8);
});
