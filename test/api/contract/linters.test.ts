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

type Problem = { message: string };

/** What a linter prints of a document, whatever it thinks of it. */
async function printed(script: string, given: string[]): Promise<string> {
  const options = { env: { ...process.env, ...QUIET }, cwd: here('api/openapi') };
  const outcome = await run(process.execPath, [here(script), ...given], options).catch(
    (error: unknown) => error as { stdout: string },
  );
  return outcome.stdout;
}

async function redocly(file: string): Promise<Problem[]> {
  const given = ['lint', file, '--config', 'redocly.yaml', '--format', 'json'];
  const text = await printed('node_modules/@redocly/cli/bin/cli.js', given);
  return (JSON.parse(text) as { problems: Problem[] }).problems;
}

async function spectral(file: string): Promise<Problem[]> {
  const given = ['lint', file, '--ruleset', 'spectral.yaml', '--format', 'json', '--quiet'];
  const text = await printed('node_modules/@stoplight/spectral-cli/dist/index.js', given);
  return JSON.parse(text) as Problem[];
}

test('two linters of others have neither an error nor a warning for the document, and notice what is wrong', async (t) => {
  const folder = await tempDir(t);
  const [good, bad] = [join(folder, 'good.json'), join(folder, 'bad.json')];
  const text = JSON.stringify(openApiDocument());
  await writeFile(good, text);
  await writeFile(
    bad,
    text.replace('"operationId":"score",', '').replace(':"integer"', ':"whole"'),
  );
  const [ours, theirs] = await Promise.all([redocly(good), spectral(good)]);
  t.deepEqual([ours, theirs], [[], []]);
  for (const found of await Promise.all([redocly(bad), spectral(bad)])) t.true(found.length >= 2);
});
