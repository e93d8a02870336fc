import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import type { ExecutionContext } from 'ava';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Lints a tree with only these files, and returns the lines that break the rule, by file. */
async function findOffences(
  t: ExecutionContext,
  rule: string,
  files: Record<string, string[]>,
): Promise<Record<string, number[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'headwind-lint-'));
  t.teardown(() => rm(folder, { recursive: true }));
  await cp(join(ROOT, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  for (const [file, lines] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), `${lines.join('\n')}\n`);
  }

  const offences: Record<string, number[]> = {};
  for (const { code, filename, labels } of (await oxlintReport(folder)).diagnostics) {
    if (code === rule) {
      (offences[filename] ??= []).push(labels[0]?.span.line ?? 0);
    }
  }
  return offences;
}

type Diagnostic = { filename: string; code: string; labels: { span: { line: number } }[] };

function oxlintReport(folder: string): Promise<{ diagnostics: Diagnostic[] }> {
  const oxlint = join(ROOT, 'node_modules/oxlint/bin/oxlint');
  const rules = ['-A', 'correctness', '-A', 'suspicious', '--format', 'json'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [oxlint, ...rules], { cwd: folder }, (error, stdout) => {
      // oxlint exits with 1 if it finds problems, which is expected here.
      if (error && error.code !== 1) {
        reject(error);
      } else {
        resolve(JSON.parse(stdout) as { diagnostics: Diagnostic[] });
      }
    });
  });
}

const CYCLE = 'import(no-cycle)';
const IMPORT = 'eslint(no-restricted-imports)';
const PROPERTY = 'eslint(no-restricted-properties)';

test('the API imports only models, the reading side of the store, and the keyring', async (t) => {
  const offences = await findOffences(t, IMPORT, {
    'api/routes/score.ts': [
      "export { score } from '../../models/score.ts';",
      "export { openStore } from '../../warehouse/store/open.ts';",
      "export { connect } from '../../warehouse/connect.ts';",
      "export { monthStates } from '../../warehouse/queries/month-states.ts';",
      "export { publishStore } from '../../warehouse/store/publish.ts';",
      "export { queues } from '../../jobs/queue/queues.ts';",
      "export type { Progress } from '../../pipelines/types.ts';",
      "export { Queue } from 'bullmq';",
      "export { DuckDBInstance } from '@duckdb/node-api';",
    ],
    'api/routes/keys.ts': ["export { redisKeys } from '../../warehouse/keyring/layout.ts';"],
  });
  t.deepEqual(offences, { 'api/routes/score.ts': [3, 4, 5, 6, 7, 8, 9] });
});

test('pipelines import only types of the warehouse', async (t) => {
  const offences = await findOffences(t, IMPORT, {
    'pipelines/flights/extract.ts': [
      "import type { Lake } from '../../warehouse/lake/lake.ts';",
      "export { SourceFormatError } from '../errors.ts';",
      "export { openLake } from '../../warehouse/lake/lake.ts';",
      "export { queues } from '../../jobs/queue/queues.ts';",
      "export { Queue } from 'bullmq';",
      "export { DuckDBInstance } from '@duckdb/node-api';",
      'export type Deps = { lake: Lake };',
    ],
  });
  t.deepEqual(offences, { 'pipelines/flights/extract.ts': [3, 4, 5, 6] });
});

test('models import only types of the score store', async (t) => {
  const offences = await findOffences(t, IMPORT, {
    'models/score.ts': [
      "export type { ScoreStore } from '../warehouse/store/types.ts';",
      "export { openStore } from '../warehouse/store/open.ts';",
      "export type { Lake } from '../warehouse/lake/lake.ts';",
      "export { readConfig } from '../api/config.ts';",
      "export { SourceFormatError } from '../pipelines/errors.ts';",
    ],
  });
  t.deepEqual(offences, { 'models/score.ts': [2, 3, 4, 5] });
});

test('jobs import pipelines and warehouse, but neither HTTP nor DuckDB', async (t) => {
  const offences = await findOffences(t, IMPORT, {
    'jobs/queue/handlers.ts': [
      "export { Queue } from 'bullmq';",
      "export { openLake } from '../../warehouse/lake/lake.ts';",
      "export { extractFile } from '../../pipelines/flights/extract.ts';",
      "export { default as Koa } from 'koa';",
      "export { app } from '../../api/app.ts';",
      "export { DuckDBInstance } from '@duckdb/node-api';",
    ],
  });
  t.deepEqual(offences, { 'jobs/queue/handlers.ts': [4, 5, 6] });
});

test('the warehouse imports none of its callers', async (t) => {
  const offences = await findOffences(t, IMPORT, {
    'warehouse/connect.ts': [
      "export { DuckDBInstance } from '@duckdb/node-api';",
      "export type { CheckResult } from '../pipelines/types.ts';",
      "export { SourceFormatError } from '../pipelines/errors.ts';",
      "export { extractFile } from '../pipelines/flights/extract.ts';",
      "export { score } from '../models/score.ts';",
      "export { Queue } from 'bullmq';",
    ],
  });
  t.deepEqual(offences, { 'warehouse/connect.ts': [2, 3, 4, 5, 6] });
});

test('only main.ts, setup and tests read the environment', async (t) => {
  const reading = ['export const port = process.env.PORT;'];
  const offences = await findOffences(t, PROPERTY, {
    'jobs/main.ts': reading,
    'jobs/cli/setup.ts': reading,
    'test/helpers/redis.ts': reading,
    'api/config.ts': reading,
    'warehouse/lake/lake.ts': reading,
  });
  t.deepEqual(offences, { 'api/config.ts': [1], 'warehouse/lake/lake.ts': [1] });
});

test('the linter refuses files that import each other, even only for types', async (t) => {
  const offences = await findOffences(t, CYCLE, {
    'models/a.ts': ["import type { B } from './b.ts';", 'export type A = B[];'],
    'models/b.ts': ["import type { A } from './a.ts';", 'export type B = { of: A };'],
    'models/c.ts': ["import type { A } from './a.ts';", 'export type C = A;'],
  });
  t.deepEqual(Object.keys(offences).toSorted(), ['models/a.ts', 'models/b.ts']);
});
