import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { openApiDocument } from '../../../api/openapi/document.ts';
import { tempDir } from '../../jobs/helpers/temp-dir.ts';

const run = promisify(execFile);
const fromRoot = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** Keeps both linters offline. */
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** Returns the output of a linter, whatever its exit code. */
async function runLinter(script: string, args: string[]): Promise<string> {
  const options = { env: { ...process.env, ...QUIET }, cwd: fromRoot('api/openapi') };
  const outcome = await run(process.execPath, [fromRoot(script), ...args], options).catch(
    (error: unknown) => error as { stdout: string },
  );
  return outcome.stdout;
}

/** Counts the problems of each file. */
async function redocly(files: string[]): Promise<number[]> {
  const args = ['lint', ...files, '--config', 'redocly.yaml', '--format', 'json'];
  const text = await runLinter('node_modules/@redocly/cli/bin/cli.js', args);
  // The reports follow each other without a separator.
  const reports = JSON.parse(`[${text.replaceAll('\n}{', '\n},{')}]`) as { problems: unknown[] }[];
  return reports.map(({ problems }) => problems.length);
}

async function spectral(files: string[]): Promise<number[]> {
  const args = ['lint', ...files, '--ruleset', 'spectral.yaml', '--format', 'json', '--quiet'];
  const text = await runLinter('node_modules/@stoplight/spectral-cli/dist/index.js', args);
  const problems = JSON.parse(text) as { source: string }[];
  return files.map((file) => problems.filter(({ source }) => source === file).length);
}

test('two independent linters accept the document, and reject a broken one', async (t) => {
  const folder = await tempDir(t);
  const files = ['good.json', 'bad.json'].map((name) => join(folder, name));
  const text = JSON.stringify(openApiDocument());
  const bad = text.replace('"operationId":"score",', '').replace(':"integer"', ':"whole"');
  await Promise.all(files.map((file, at) => writeFile(file, at === 0 ? text : bad)));
  for (const [problemCount, brokenCount] of await Promise.all([redocly(files), spectral(files)])) {
    t.is(problemCount, 0);
    t.true(brokenCount! >= 2);
  }
});
