import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { startCommand, until } from '../../helpers/command.ts';
import type { Script } from '../../helpers/fake-steps.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

async function aFolder(t: ExecutionContext, files: Record<string, Script>) {
  const folder = await tempDir(t);
  for (const [name, script] of Object.entries(files)) {
    await writeFile(join(folder, name), JSON.stringify(script));
  }
  const dataDir = join(folder, 'data');
  return {
    file: (name: string) => join(folder, name),
    env: { DATA_DIR: dataDir },
    calls: () => readFile(join(dataDir, 'calls'), 'utf8').catch(() => ''),
  };
}

// Serial, as each test starts up to five processes.
test.serial(
  'files are loaded one after another, by a worker that the command starts',
  async (t) => {
    const { file, env, calls } = await aFolder(t, {
      'a.csv': { months: ['2018-01'], takesMs: 50 },
      'b.csv': { months: ['2018-02'] },
    });
    const ingest = startCommand(t, ['ingest', file('a.csv'), file('b.csv')], env);
    t.is(await ingest.end, 0);
    t.is(
      await calls(),
      'extract a.csv\nextracted a.csv\nload 2018-01\nextract b.csv\nextracted b.csv\nload 2018-02\n',
    );
    t.regex(ingest.out(), /a\.csv .* written[^]*b\.csv .* written[^]*Next: make features publish/);
  },
);

test.serial(
  'after a file that fails, the next one is loaded, and the exit code is 1',
  async (t) => {
    const { file, env } = await aFolder(t, {
      'a.csv': { months: [], fails: 'format' },
      'b.csv': { months: ['2018-02'] },
    });
    const ingest = startCommand(t, ['ingest', file('a.csv'), file('b.csv')], env);
    t.is(await ingest.end, 1);
    t.regex(ingest.out(), /a\.csv .* failed[^]*b\.csv .* written[^]*\na\.csv: unknown header\n/);
  },
);

test.serial('a refused month makes the exit code 1', async (t) => {
  const { file, env } = await aFolder(t, {
    'a.csv': { months: ['2018-01', '2018-02'], refused: ['2018-02'] },
  });
  const ingest = startCommand(t, ['ingest', file('a.csv')], env);
  t.is(await ingest.end, 1);
  t.regex(ingest.out(), /2018-02 .* refused/);
});

test.serial('if a file is missing, nothing is queued', async (t) => {
  const { file, env, calls } = await aFolder(t, { 'a.csv': { months: ['2018-01'] } });
  const ingest = startCommand(t, ['ingest', file('a.csv'), file('b.csv'), file('.')], env);
  t.is(await ingest.end, 1);
  t.is(
    ingest.err(),
    `Nothing was loaded: ${file('b.csv')} does not exist; ${file('.')} is not a file\n`,
  );
  t.is(await calls(), '');
});

test.serial(
  'Ctrl-C leaves the job in the queue and prints it; the same command continues with it',
  async (t) => {
    const { file, env, calls } = await aFolder(t, {
      'a.csv': { months: ['2018-01'], takesMs: 1_000 },
    });
    const first = startCommand(t, ['ingest', file('a.csv')], env);
    await until('the extract starts', async () => (await calls()) === 'extract a.csv\n');
    process.kill(-(first.process.pid ?? 0), 'SIGINT');
    t.is(await first.end, 130);
    t.regex(first.err(), /stay in the queue: extract-file-[0-9a-f]{12}\. /);

    const second = startCommand(t, ['ingest', file('a.csv')], env);
    t.is(await second.end, 0);
    // The worker of the first command had time to finish its job.
    t.is(await calls(), 'extract a.csv\nextracted a.csv\nload 2018-01\n');
  },
);
