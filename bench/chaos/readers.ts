/**
 * `make chaos PART=readers ROUNDS=20`: runs nightly runs while tools have the copy of the warehouse open. No run may
 * fail, and each tool must read the complete data of one run.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { progressLine } from '../../jobs/cli/progress-line.ts';
import { createSteps } from '../../jobs/wiring/steps.ts';
import { openDatabase } from '../../warehouse/connect.ts';
import { firstDay } from '../../warehouse/ground/dates.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { countArgument } from './options.ts';
import { openPartStage } from './own-stage.ts';
import { writeBtsMonth } from '../generate/bts-month.ts';
import { hashContent } from './state.ts';

const FIRST_MONTH = '2023-01';
const CHILD = path.join(import.meta.dirname, 'reader-child.ts');
/**
 * A tool in the mode `writes` locks out the other tools, so it gets its own nightly runs. `share` is multiplied by
 * `--rounds`.
 */
const PHASES: readonly { manners: Mode[]; share: number }[] = [
  { manners: ['stays', 'opens'], share: 1 },
  { manners: ['writes'], share: 0.25 },
];

type Mode = 'stays' | 'opens' | 'writes';
type Reading = { query: number; content: string } | { error: string };

const program = new Command('chaos-readers')
  .description(
    'check that tools that read the copy delay no nightly run and see the data of one run',
  )
  .option('--rounds <count>', 'number of nightly runs', countArgument, 20)
  .option('--rows <count>', 'flights of each month', countArgument, 2_000);
const { rounds, rows } = program.parse().opts<{ rounds: number; rows: number }>();

const { folder, redis, close } = await openPartStage('readers');
const dataDir = path.join(folder, 'data');
const { warehouseFile, readFile } = dataPaths(dataDir);
try {
  process.exitCode = await chaos();
} finally {
  await close();
}

async function chaos(): Promise<number> {
  const steps = createSteps({ dataDir, codeVersion: 'chaos', offline: true }, redis);
  const line = progressLine('readers', process.stderr);
  const contents = [await runNightly(steps, 0)];
  const summaries: string[] = [];
  const problems: string[] = [];
  for (const { manners, share } of PHASES) {
    const readers = manners.map(startReader);
    for (let round = 1; round <= Math.ceil(share * rounds); round++) {
      contents.push(await runNightly(steps, contents.length));
      const counts = readers.map(({ manner, readings }) => `${manner} ${readings.length}`);
      line.show({
        done: contents.length - 1,
        total: rounds + Math.ceil(rounds / 4),
        what: counts.join(', '),
      });
    }
    for (const reader of readers) {
      const { manner, readings } = await reader.end();
      problems.push(...findProblems(manner, readings, contents));
      const versions = new Set(
        readings.map((reading) => ('content' in reading ? reading.content : '')),
      );
      summaries.push(`${manner} ${readings.length} in ${versions.size} versions`);
    }
  }
  line.end();
  for (const problem of new Set(problems)) console.log(problem);
  console.log(
    `${contents.length - 1} nightly runs completed; ${problems.length} queries failed or read a torn copy; queries: ${summaries.join(', ')}`,
  );
  return problems.length === 0 ? 0 : 1;
}

/** Loads, builds and publishes one more month; returns a hash of the warehouse's content. */
async function runNightly(steps: ReturnType<typeof createSteps>, index: number): Promise<string> {
  const silent = () => undefined;
  const month = firstDay(FIRST_MONTH, index).slice(0, 7);
  const file = path.join(folder, `${month}.zip`);
  await writeBtsMonth(file, { month, rows, seed: index, badRowRate: 0.001 });
  await steps.extractFile({ path: file }, silent);
  await steps.loadMonths([month], silent);
  await steps.buildFeatures(silent);
  await steps.publishStore(silent);
  const db = await openDatabase({ path: warehouseFile, readOnly: true, threads: 1 });
  try {
    return await hashContent(db);
  } finally {
    db.close();
  }
}

function startReader(manner: Mode) {
  const child = spawn(process.execPath, [CHILD, readFile, manner]);
  const readings: Reading[] = [];
  createInterface(child.stdout).on('line', (text) => readings.push(JSON.parse(text) as Reading));
  const end = async () => {
    const closed = once(child, 'close');
    child.kill();
    await closed;
    return { manner, readings };
  };
  return { manner, readings, end };
}

/**
 * Returns the problems: failed queries, content that no nightly run wrote, and content that changed while the copy was
 * open.
 */
function findProblems(manner: Mode, readings: Reading[], contents: string[]): string[] {
  let previous = '';
  return readings.flatMap((reading) => {
    if ('error' in reading) return `${manner}: ${reading.error}`;
    const { query, content } = reading;
    const hasChanged = query > 0 && content !== previous;
    previous = content;
    if (!contents.includes(content)) return `${manner}: content of no nightly run`;
    return hasChanged ? `${manner}: content changed while the copy was open` : [];
  });
}
