/** `make chaos PART=readers ROUNDS=20`: nights beside tools that have the copy of the warehouse open; none fails, and each reads one night whole. */
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
import { openOwnStage } from './own-stage.ts';
import { writeBtsMonth } from '../generate/bts-month.ts';
import { contentOf } from './state.ts';

const FIRST_MONTH = '2023-01';
const CHILD = path.join(import.meta.dirname, 'reader-child.ts');
/** Who opens a copy for writing keeps everybody else out of it, so it has nights of its own: so many of those of the others. */
const PHASES: readonly { manners: Manner[]; share: number }[] = [
  { manners: ['stays', 'opens'], share: 1 },
  { manners: ['writes'], share: 0.25 },
];

type Manner = 'stays' | 'opens' | 'writes';
type Reading = { question: number; content: string } | { error: string };

const program = new Command('chaos-readers')
  .description('see that tools on the copy of the warehouse hold up no night and read none half')
  .option('--rounds <count>', 'nights', countArgument, 20)
  .option('--rows <count>', 'flights of a month', countArgument, 2_000);
const { rounds, rows } = program.parse().opts<{ rounds: number; rows: number }>();

const { folder, redis, close } = await openOwnStage('readers');
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
  const nights = [await night(steps, 0)];
  const asked: string[] = [];
  const problems: string[] = [];
  for (const { manners, share } of PHASES) {
    const readers = manners.map(startReader);
    for (let round = 1; round <= Math.ceil(share * rounds); round++) {
      nights.push(await night(steps, nights.length));
      const questions = readers.map(({ manner, readings }) => `${manner} ${readings.length}`);
      line.show({
        done: nights.length - 1,
        total: rounds + Math.ceil(rounds / 4),
        what: questions.join(', '),
      });
    }
    for (const reader of readers) {
      const { manner, readings } = await reader.end();
      problems.push(...problemsOf(manner, readings, nights));
      const seen = new Set(readings.map((one) => ('content' in one ? one.content : '')));
      asked.push(`${manner} ${readings.length} of ${seen.size} nights`);
    }
  }
  line.end();
  for (const problem of new Set(problems)) console.log(problem);
  console.log(
    `${nights.length - 1} nights came to their end; ${problems.length} questions failed or found a torn copy; asked: ${asked.join(', ')}`,
  );
  return problems.length === 0 ? 0 : 1;
}

/** A month more is loaded, built and published; what the warehouse then holds. */
async function night(steps: ReturnType<typeof createSteps>, index: number): Promise<string> {
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
    return await contentOf(db);
  } finally {
    db.close();
  }
}

function startReader(manner: Manner) {
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

/** What went wrong: a question that failed, content of no night, or of another one while the copy was held. */
function problemsOf(manner: Manner, readings: Reading[], nights: string[]): string[] {
  let held = '';
  return readings.flatMap((reading) => {
    if ('error' in reading) return `${manner}: ${reading.error}`;
    const { question, content } = reading;
    const isHeld = question > 0 && content !== held;
    held = content;
    if (!nights.includes(content)) return `${manner}: content of no night`;
    return isHeld ? `${manner}: the night changed under it` : [];
  });
}
