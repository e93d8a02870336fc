import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { openApiDocument } from '../../../api/openapi/document.ts';
import { tempDir } from '../../jobs/helpers/temp-dir.ts';

const run = promisify(execFile);
const here = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** Neither calls home: what the linters are told of the document is all they see. */
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** What a linter prints of a document, whatever it thinks of it. */
async function printed(script: string, given: string[]): Promise<string> {
  const options = { env: { ...process.env, ...QUIET }, cwd: here('api/openapi') };
  const outcome = await run(process.execPath, [here(script), ...given], options).catch(
    (error: unknown) => error as { stdout: string },
  );
  return outcome.stdout;
}

/** How many problems each of the files has. */
async function redocly(files: string[]): Promise<number[]> {
  const given = ['lint', ...files, '--config', 'redocly.yaml', '--format', 'json'];
  const text = await printed('node_modules/@redocly/cli/bin/cli.js', given);
  // One report after the other, with nothing in between.
  const reports = JSON.parse(`[${text.replaceAll('\n}{', '\n},{')}]`) as { problems: unknown[] }[];
  return reports.map(({ problems }) => problems.length);
}

async function spectral(files: string[]): Promise<number[]> {
  const given = ['lint', ...files, '--ruleset', 'spectral.yaml', '--format', 'json', '--quiet'];
  const text = await printed('node_modules/@stoplight/spectral-cli/dist/index.js', given);
  const problems = JSON.parse(text) as { source: string }[];
  return files.map((file) => problems.filter(({ source }) => source === file).length);
}

test('two linters of others have neither an error nor a warning for the document, and notice what is wrong', async (t) => {
  const folder = await tempDir(t);
  const files = ['good.json', 'bad.json'].map((name) => join(folder, name));
  const text = JSON.stringify(openApiDocument());
  const bad = text.replace('"operationId":"score",', '').replace(':"integer"', ':"whole"');
  await Promise.all(files.map((file, at) => writeFile(file, at === 0 ? text : bad)));
  for (const [ours, theirs] of await Promise.all([redocly(files), spectral(files)])) {
    t.is(ours, 0);
    t.true(theirs! >= 2);
  }
});
