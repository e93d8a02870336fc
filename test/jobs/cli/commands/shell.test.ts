import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { dataPaths } from '../../../../warehouse/paths.ts';
import { commandsHere } from '../../helpers/program-here.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

/** Exits with 7 if it is called to open an existing file read-only. */
const FAKE_DUCKDB = '#!/bin/sh\n[ "$1" = -readonly ] && [ -f "$2" ] && exit 7\nexit 1\n';

test('the DuckDB prompt opens the copy read-only; without the copy or DuckDB, the message says what to do', async (t) => {
  const dataDir = await tempDir(t);
  const settings = { DATA_DIR: dataDir, REDIS_URL: 'redis://127.0.0.1:1' };
  const bare = commandsHere({ ...settings, PATH: '/nowhere' });
  t.like(await bare('shell'), {
    code: 1,
    err: 'There is no copy of the warehouse yet. To create one, run: make features publish\n',
  });

  const { readFile } = dataPaths(dataDir);
  await mkdir(join(readFile, '..'), { recursive: true });
  await writeFile(readFile, '');
  const missing = await bare('shell');
  t.is(missing.code, 1);
  t.true(missing.err.includes(`duckdb -readonly ${readFile}\n`), missing.err);

  await writeFile(join(dataDir, 'duckdb'), FAKE_DUCKDB, { mode: 0o755 });
  const installed = commandsHere({ ...settings, PATH: dataDir });
  t.deepEqual(await installed('shell'), { code: 7, out: '', err: '' });
});
