/**
 * `make chaos PART=download ROUNDS=20`: fetches months from servers that misbehave at first. Checks that each month
 * arrives whole, within its deadline, in the same worker.
 */
import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { requestBackfill } from '../../jobs/queue/backfill-jobs.ts';
import { btsFileName } from '../../pipelines/flights/months.ts';
import { isIntact, readManifest } from '../../warehouse/lake/lake.ts';
import { dataPaths } from '../../warehouse/paths.ts';
import { listNames } from '../../warehouse/ground/files.ts';
import { writeBtsMonth } from '../generate/bts-month.ts';
import type { Random } from '../generate/random.ts';
import { hurtfulServer, WAYS, type Way } from '../stage/hurtful-server.ts';
import { openPartStage } from './own-stage.ts';
import { roundOptions, runRounds, type RoundResult } from './rounds.ts';
import { FAILING, startService, type ChaosService } from './service.ts';

const MONTH = '2025-02';
const ROWS = 20_000;
/**
 * Time limit for a month. Each attempt may wait 30 s for bytes, and the waits between attempts add up to four minutes.
 */
const DEADLINE_MS = 240_000;
/** Maximum number of attempts at which the server misbehaves. */
const MAX_BAD_ANSWERS = 2;

/** A schedule that practically never runs, so that no live data is fetched in the meantime. */
const NEW_YEAR = '0 0 1 1 *';
const SELDOM = { SCHEDULE_NEWS: NEW_YEAR, SCHEDULE_WEATHER: NEW_YEAR, SCHEDULE_MONTHS: NEW_YEAR };

const options = roundOptions('download', 'fetch months from servers that misbehave');
const stage = await openPartStage('download');
const sources = await mkdtemp(path.join(tmpdir(), 'hw-source-'));
const service = await startService(stage, { OFFLINE: '0', ...SELDOM });
try {
  process.exitCode = await chaos(service);
} finally {
  await service.stop();
  await stage.close();
  await rm(sources, { recursive: true, force: true });
}

async function chaos(own: ChaosService): Promise<number> {
  const ways = Object.keys(WAYS);
  const first = own.workerPid();
  return runRounds('download', options, async (round, random) => {
    const name = ways[round % ways.length] ?? '';
    const result = await fetchMonth(own, name, { seed: round + 1, random });
    if (own.workerPid() !== first) result.problems.push('the worker crashed');
    return result;
  });
}

async function fetchMonth(
  own: ChaosService,
  name: string,
  { seed, random }: { seed: number; random: Random },
): Promise<RoundResult> {
  const file = path.join(sources, btsFileName(MONTH));
  await writeBtsMonth(file, { month: MONTH, rows: ROWS + seed, seed, badRowRate: 0 });
  const ends: (() => unknown)[] = [];
  const badAnswers = 1 + random.below(MAX_BAD_ANSWERS);
  const way = WAYS[name] as Way;
  const base = await hurtfulServer(
    { teardown: (end) => void ends.push(end) },
    behavingAfter(badAnswers, way),
    await readFile(file),
  );
  const problems: string[] = [];
  const from = performance.now();
  try {
    const request = { months: [MONTH], source: { kind: 'url' as const, base }, force: true };
    const lock = path.join(stage.folder, 'backfill.lock');
    const { parent } = await requestBackfill(own.queues, request, lock);
    await own.followJob(parent, DEADLINE_MS);
  } catch (error) {
    problems.push(`the backfill failed: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    for (const end of ends) await end();
  }
  problems.push(...(await findLosses(own.dataDir, ROWS + seed)));
  if ((await own.run('status')).code === FAILING) problems.push('status reports a failure');
  const seconds = Math.round((performance.now() - from) / 1_000);
  return { what: `a server that ${name}: ${seconds} s`, problems };
}

/** Misbehaves for this number of answers. Then answers correctly. */
function behavingAfter(badAnswers: number, bad: Way): Way {
  const good = WAYS['keeps the connection open'] as Way;
  let answered = 0;
  return {
    outcome: bad.outcome,
    answer: (socket, body) => {
      answered += 1;
      return (answered <= badAnswers ? bad : good).answer(socket, body);
    },
  };
}

async function findLosses(dataDir: string, rows: number): Promise<string[]> {
  const { lakeDir } = dataPaths(dataDir);
  const manifest = await readManifest(lakeDir, MONTH);
  if (manifest?.rows.loaded !== rows) {
    return [`${MONTH} has ${manifest?.rows.loaded} flights instead of ${rows}`];
  }
  const parts = (await listNames(path.join(dataDir, 'downloads'))).filter((name) =>
    name.includes('.part'),
  );
  return [
    ...((await isIntact(lakeDir, manifest)) ? [] : [`${MONTH} is damaged`]),
    ...(parts.length > 0 ? [`an interrupted download remains: ${parts.join(', ')}`] : []),
  ];
}
