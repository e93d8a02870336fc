import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { startCommand, until } from '../../helpers/command.ts';
import { tempDir } from '../../helpers/temp-dir.ts';

// The fake worker reads months from files named like months.
test.serial(
  'Ctrl-C leaves the months in the queue and prints them; the same command continues with them',
  async (t) => {
    const folder = await tempDir(t);
    const [source, dataDir] = [join(folder, 'months'), join(folder, 'data')] as const;
    await mkdir(source);
    const months = ['2025-01', '2025-02', '2025-03', '2025-04', '2025-05'];
    for (const month of months) {
      await writeFile(join(source, month), JSON.stringify({ takesMs: 700 }));
    }
    const args = ['backfill', '--from', '2025-01', '--to', '2025-05', '--source', source];
    const calls = () => readFile(join(dataDir, 'calls'), 'utf8').catch(() => '');

    const first = startCommand(t, args, { DATA_DIR: dataDir });
    await until('the first month is loaded', async () => /^load/m.test(await calls()));
    process.kill(-(first.process.pid ?? 0), 'SIGINT');
    t.is(await first.end, 130);
    t.regex(
      first.err(),
      /stay in the queue: load-flights-2025-0\d-[0-9a-f]{12}, .* To continue, repeat/,
    );

    const second = startCommand(t, args, { DATA_DIR: dataDir });
    t.is(await second.end, 0, second.err());
    t.regex(second.out(), /│ total +│ 5 done, 0 skipped, 0 failed +│ +5,000 │ +10 │/);
    // No month was extracted twice: the worker had time to finish its jobs.
    t.deepEqual(
      (await calls())
        .split('\n')
        .filter((call) => call.startsWith('extract '))
        .toSorted(),
      months.map((month) => `extract ${month}`),
    );
  },
);

test.serial('a month that fails makes the exit code 1', async (t) => {
  const source = await tempDir(t);
  await writeFile(join(source, '2025-01'), JSON.stringify({ fails: 'format' }));
  await writeFile(join(source, '2025-02'), JSON.stringify({}));
  const args = ['backfill', '--from', '2025-01', '--to', '2025-02', '--source', source];
  const backfill = startCommand(t, args, { DATA_DIR: join(source, 'data') });
  t.is(await backfill.end, 1);
  t.regex(backfill.out(), /│ 2025-02 │ done[^]*\n2025-01: 2025-01: unknown header\n/);
});
