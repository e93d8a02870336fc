import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { backfill, type BackfillOptions } from '../../../jobs/cli/commands/backfill.ts';
import type { CommandContext } from '../../../jobs/cli/context.ts';
import { readConfig } from '../../../jobs/config.ts';
import { CommandError } from '../../../jobs/errors.ts';
import { btsFileName } from '../../../pipelines/flights/months.ts';
import { fakeBts } from '../../helpers/fake-bts.ts';
import { startCommand } from '../helpers/command.ts';
import { lakeFiles, loadedTables } from '../helpers/lake-copy.ts';
import { monthCsv, writeMonths } from '../helpers/months.ts';
import { programHere } from '../helpers/program-here.ts';
import { tempDir } from '../helpers/temp-dir.ts';

const MAIN = fileURLToPath(new URL('../../../jobs/main.ts', import.meta.url));

/** A server with 2025-01 and 2025-02, and the command that backfills 2025-01 to 2025-03 from it. */
async function aWorld(t: ExecutionContext, env: Record<string, string> = {}) {
  const bts = await fakeBts(t);
  const [january, february] = [btsFileName('2025-01'), btsFileName('2025-02')] as const;
  bts.put(january, monthCsv('2025-01'));
  bts.put(february, monthCsv('2025-02'));
  const dataDir = join(await tempDir(t), 'data');
  const program = await programHere(t, dataDir, { BTS_BASE_URL: bts.url, ...env });
  const run = (...args: string[]) =>
    program('backfill', '--from', '2025-01', '--to', '2025-03', ...args);
  return { bts, january, february, dataDir, run };
}

test.serial(
  'months are loaded once each from a server that cuts off answers and is busy',
  async (t) => {
    const { bts, january, february, dataDir, run } = await aWorld(t);
    const plan = await run('--dry-run');
    t.is(plan.code, 0, plan.err);
    t.regex(plan.out, /│ 2025-01 │ load +│ http:.*_2025_1\.zip │ [\d.]+ kB │/);
    t.regex(plan.out, /│ 2025-03 │ skip: not published yet \(the server answers 404\)/);
    t.regex(plan.out, /Dry run: nothing was changed\.\n$/);
    t.false(existsSync(dataDir));

    bts.failNext(january, 'cut');
    bts.failNext(february, { status: 503, headers: { 'retry-after': '1' } });
    const first = await run();
    t.is(first.code, 0, first.err);
    t.regex(first.out, /│ 2025-01 │ done +│ +200 │ +0 │/);
    t.regex(first.out, /│ 2025-02 │ done +│ +200 │ +0 │/);
    t.regex(first.out, /│ 2025-03 │ skipped: not published yet \(the server answers 404\) │/);
    t.regex(first.out, /│ total +│ 2 done, 1 skipped, 0 failed +│ +400 │/);
    t.regex(
      first.err,
      /extract-flights-2025-02-[0-9a-f]{12}: attempt 1 failed, retrying: .*answers 503/,
    );
    t.regex(first.err, /\[3\/3\] 2025-0\d (done|skipped)/);
    t.true(bts.requests.some((line) => line.startsWith(`GET ${january} range: bytes=`)));

    const [files, tables] = [await lakeFiles(dataDir), await loadedTables(dataDir)];
    const second = await run();
    t.is(second.code, 0, second.err);
    t.regex(second.out, /│ 2025-01 │ skipped: unchanged/);
    t.regex(second.out, /0 done, 3 skipped, 0 failed/);
    t.is(bts.requests.filter((line) => line.endsWith('-> 304')).length, 2);
    t.deepEqual(await lakeFiles(dataDir), files);
    t.deepEqual(await loadedTables(dataDir), tables);

    const again = await run('--dry-run');
    t.regex(again.out, /│ 2025-01 │ skip: unchanged +│/);
    const forced = await run('--force');
    t.regex(forced.out, /2 done, 1 skipped, 0 failed/);
    t.deepEqual(await loadedTables(dataDir), tables);
  },
);

test.serial(
  'a file of another month fails and changes nothing, and other months are loaded',
  async (t) => {
    const { bts, january, dataDir, run } = await aWorld(t);
    await run();
    const files = await lakeFiles(dataDir);
    bts.put(january, monthCsv('2024-01'));
    bts.put(btsFileName('2025-03'), monthCsv('2025-03'));
    const { code, out } = await run();
    t.is(code, 1);
    t.regex(out, /│ 2025-01 │ failed/);
    t.regex(out, /\n2025-01: .*_2025_1\.zip: contains 2024-01; expected only 2025-01\n/);
    t.regex(out, /│ 2025-03 │ done/);
    t.deepEqual((await lakeFiles(dataDir)).slice(0, files.length), files);
  },
);

test.serial(
  'half a month, cut at a line end, fails at once and replaces the month only with FORCE=1',
  async (t) => {
    const { bts, january, dataDir, run } = await aWorld(t);
    await run();
    const [files, tables] = [await lakeFiles(dataDir), await loadedTables(dataDir)];
    bts.put(january, monthCsv('2025-01', 100));
    const cut = await run();
    t.is(cut.code, 1);
    t.regex(
      cut.out,
      /\n2025-01: .* refused: it has 100 flights, the lake 200; counted by airline, airport and day, 100 of .* are missing, .*; FORCE=1 replaces the month anyway\n/,
    );
    t.notRegex(cut.err, /retrying/);
    t.deepEqual(await lakeFiles(dataDir), files);
    t.deepEqual(await loadedTables(dataDir), tables);
    const forced = await run('--force');
    t.is(forced.code, 0, forced.err);
    t.regex(forced.out, /│ 2025-01 │ done +│ +100 │/);
  },
);

test.serial('OFFLINE=1 downloads nothing, but loads a folder', async (t) => {
  const { bts, dataDir, run } = await aWorld(t, { OFFLINE: '1' });
  const refused = await run();
  t.is(refused.code, 1);
  t.regex(refused.err, /^OFFLINE=1 is set, so nothing is downloaded\./);
  t.deepEqual(bts.requests, []);
  const folder = join(dataDir, '..', 'files');
  await mkdir(folder);
  await writeMonths(folder, '2025-01', '2025-02');
  const { code, out } = await run('--source', folder);
  t.is(code, 0);
  t.regex(out, /│ 2025-03 │ skipped: the folder has no file of this month/);
  t.regex(out, /2 done, 1 skipped, 0 failed/);
});

test.serial('invalid months and sources are refused with an example', async (t) => {
  const dataDir = join(await tempDir(t), 'data');
  const example = ' Example: make backfill FROM=2025-01 TO=2025-12';
  const command = startCommand(t, ['backfill', '--to', '2025-03'], { DATA_DIR: dataDir }, MAIN);
  t.is(await command.end, 1);
  t.is(command.err(), `FROM must be given.${example}\n`);

  const errorOf = async (options: BackfillOptions) => {
    const context: CommandContext = {
      config: readConfig({ DATA_DIR: dataDir }),
      env: {},
      out: process.stdout,
      err: process.stderr,
      now: () => new Date(),
      workerScript: '',
    };
    const planner = () => Promise.reject(new Error('no plan'));
    const error = await t.throwsAsync(backfill(context, options, planner), {
      instanceOf: CommandError,
    });
    return error?.message ?? '';
  };
  t.is(
    await errorOf({ from: '2025-3', to: '2025-13' }),
    `Not a month from 1987-10 on: "2025-3" and "2025-13".${example}`,
  );
  t.is(
    await errorOf({ from: '2025-03', to: '2025-01' }),
    `FROM=2025-03 is after TO=2025-01.${example}`,
  );
  const one = { from: '2025-01', to: '2025-01' };
  t.regex(
    await errorOf({ ...one, source: 'no-such-folder' }),
    /^SOURCE=\/.*no-such-folder is not a folder$/,
  );
  t.is(
    await errorOf({ ...one, source: 'ftp://mirror/bts' }),
    'SOURCE is neither a plain http(s):// address nor a folder',
  );
});
