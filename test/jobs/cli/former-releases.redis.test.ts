import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { startApi } from '../../../bench/stage/api-process.ts';
import { addDays, dateAt } from '../../../warehouse/ground/dates.ts';
import type { ReleaseFacts } from '../../fixtures/releases/release-facts.ts';
import { startCommand } from '../helpers/command.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const RELEASES = fileURLToPath(new URL('../../fixtures/releases', import.meta.url));
const MAIN = fileURLToPath(new URL('../../../jobs/main.ts', import.meta.url));
const run = promisify(execFile);

const versions = (await readdir(RELEASES))
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace(/\.json$/, ''));

/** A copy of the data folder that a release wrote, and a function that runs commands of this code on it. */
async function aFormerService(t: ExecutionContext, version: string) {
  const folder = await tempDir(t);
  await run('tar', ['-xzf', join(RELEASES, `${version}.tar.gz`), '-C', folder]);
  const facts = JSON.parse(await readFile(join(RELEASES, `${version}.json`), 'utf8'));
  const env = { DATA_DIR: join(folder, 'data'), OFFLINE: '1' };
  const end = async (args: string[]) => {
    const command = startCommand(t, args, env, MAIN);
    return { code: await command.end, out: command.out(), err: command.err() };
  };
  const headwind = async (...args: string[]) => {
    const { code, out, err } = await end(args);
    t.is(code, 0, `${args.join(' ')}: ${out}${err}`);
    return out;
  };
  return { folder, env, end, headwind, facts: facts as ReleaseFacts };
}

for (const version of versions) {
  test(`the data of release ${version} are upgraded, and everything in them is read`, async (t) => {
    const { folder, env, headwind, facts } = await aFormerService(t, version);
    const upgraded = await headwind('upgrade', '--to', join(folder, 'backups'));
    t.regex(upgraded, /Published .*month 2026-08/);
    const [counted] = JSON.parse(
      await headwind('sql', '--json', 'select count(*) as n from flights'),
    );
    t.is(counted.n, facts.flights);
    await headwind('verify');
    t.regex(await headwind('snapshot'), /2026/);

    const api = await startApi(env);
    t.teardown(api.stop);
    await api.untilHealthy();
    const ask = async (path: string) => {
      const answer = await fetch(`http://${api.address}${path}api_key=${facts.apiKey}`);
      t.is(answer.status, 200, `${path}: ${await answer.clone().text()}`);
      return (await answer.json()) as Record<string, unknown>;
    };
    const { origin, dest, airline } = facts.flight;
    const date = addDays(dateAt(new Date()), 1);
    const score = await ask(
      `/api/score?origin=${origin}&dest=${dest}&airline=${airline}&date=${date}&`,
    );
    t.is(score['data_source'], 'exact');
    const { watch } = (await ask(`/api/watches/${facts.watch}?`)) as { watch: { id: string } };
    t.is(watch.id, facts.watch);
    t.like(await ask('/api/record?'), { frozen: { nights: 1 } });
  });

  test(`an answer that release ${version} signed is verified`, async (t) => {
    const { folder, end, facts } = await aFormerService(t, version);
    const file = join(folder, 'answer.json');
    await writeFile(file, facts.signed.body);
    const { signature } = facts.signed;
    const { out } = await end(['answer-again', '--file', file, '--signature', signature]);
    // Code of another release may compute another body; the command then ends with 1 and names both versions.
    t.regex(out, /^The signature is valid/);
  });
}
