import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readIfThere, syncPath } from '../ground/files.ts';
import { intoPlace } from '../ground/into-place.ts';
import { sum } from '../ground/sum.ts';
import {
  newestRun,
  readRuns,
  runFolder,
  runIds,
  runMonths,
  stepOf,
  type Run,
  type RunStep,
} from './ledger.ts';

/** Runs of a month, a step and an outcome that are in the ledger no more one by one. */
export type RunSummary = {
  step: RunStep;
  outcome: Run['outcome'];
  runCount: number;
  /** They took, all together. */
  seconds: number;
  rowsIn: number;
  rowsOut: number;
  rowsRejected: number;
  /** When the first and the last of them began. */
  firstAt: string;
  lastAt: string;
};

/** `summary.json` in the folder of a month. */
type SummaryFile = {
  runs: RunSummary[];
  /** Ids of the runs counted in `runs`: other machines still have their files, and none of them is counted twice. */
  folded: string[];
};

/**
 * Folds the runs that began before a time into one summary a month, and returns how many. The newest run of each step stays, and
 * the newest that was done: they say how things are. Killed at any moment, the next call goes on and counts each run once. One
 * process at a time may do it.
 */
export async function foldRuns(runsDir: string, until: Date): Promise<number> {
  const ids = await runIds(runsDir);
  const before = until.toISOString().replaceAll(/[-:.]/g, '');
  const old = ids.filter((id) => id < before);
  const kept = await newestOfSteps(runsDir, ids, new Set(old.map(stepOf)));
  const byFolder = Map.groupBy(
    old.filter((id) => !kept.has(id)),
    runFolder,
  );
  let count = 0;
  for (const [folder, some] of byFolder) count += await foldInto(runsDir, folder, some);
  return count;
}

/** Ids of the runs that the summaries of these months (`2026-11`) count. */
export async function foldedIds(runsDir: string, months: string[]): Promise<string[]> {
  const files = await Promise.all(months.map((folder) => readSummary(runsDir, folder)));
  return files.flatMap(({ folded }) => folded);
}

/** All summaries, those of a month one after the other, with the month's first day. */
export async function readSummaries(runsDir: string): Promise<(RunSummary & { month: string })[]> {
  const months = await runMonths(runsDir);
  const files = await Promise.all(months.map((folder) => readSummary(runsDir, folder)));
  return files.flatMap(({ runs }, index) =>
    runs.map((one) => ({ month: `${months[index]}-01`, ...one })),
  );
}

async function newestOfSteps(runsDir: string, all: string[], steps: Set<RunStep>) {
  const files = { ids: async () => all, read: (ids: string[]) => readRuns(runsDir, ids) };
  const kept = new Set<string>();
  for (const step of steps) {
    for (const run of [await newestRun(files, [step]), await newestRun(files, [step], 'done')]) {
      if (run) kept.add(run.id);
    }
  }
  return kept;
}

/** The summary names the runs it counts before their files go, so a file that stays or comes back is not counted twice. */
async function foldInto(runsDir: string, folder: string, ids: string[]): Promise<number> {
  const { runs: summaries, folded } = await readSummary(runsDir, folder);
  const counted = new Set(folded);
  const runs = await readRuns(
    runsDir,
    ids.filter((id) => !counted.has(id)),
  );
  const added = runs.map(({ id }) => id);
  const gone = [...ids.filter((id) => counted.has(id)), ...added];
  if (gone.length === 0) return 0;
  if (added.length > 0) {
    await writeSummary(runsDir, folder, {
      runs: merged([...summaries, ...runs.map(summaryOf)]),
      folded: [...folded, ...added],
    });
  }
  for (const id of gone) await rm(path.join(runsDir, folder, `${id}.json`), { force: true });
  await syncPath(path.join(runsDir, folder));
  return added.length;
}

function summaryOf({ step, outcome, startedAt, finishedAt, ...run }: Run): RunSummary {
  return {
    step,
    outcome,
    runCount: 1,
    seconds: (Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000,
    rowsIn: run.rowsIn ?? 0,
    rowsOut: run.rowsOut ?? 0,
    rowsRejected: run.rowsRejected ?? 0,
    firstAt: startedAt,
    lastAt: startedAt,
  };
}

function merged(parts: RunSummary[]): RunSummary[] {
  const groups = Map.groupBy(parts, ({ step, outcome }) => `${step} ${outcome}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const total = (count: (one: RunSummary) => number) => sum(group.map(count));
    const times = group.flatMap(({ firstAt, lastAt }) => [firstAt, lastAt]).toSorted();
    return {
      step: first.step,
      outcome: first.outcome,
      runCount: total(({ runCount }) => runCount),
      seconds: Math.round(total(({ seconds }) => seconds) * 1_000) / 1_000,
      rowsIn: total(({ rowsIn }) => rowsIn),
      rowsOut: total(({ rowsOut }) => rowsOut),
      rowsRejected: total(({ rowsRejected }) => rowsRejected),
      firstAt: times.at(0) ?? first.firstAt,
      lastAt: times.at(-1) ?? first.lastAt,
    };
  });
}

function summaryFile(runsDir: string, folder: string): string {
  return path.join(runsDir, folder, 'summary.json');
}

async function readSummary(runsDir: string, folder: string): Promise<SummaryFile> {
  const text = await readIfThere(summaryFile(runsDir, folder));
  return text === undefined
    ? { runs: [], folded: [] }
    : (JSON.parse(text.toString()) as SummaryFile);
}

async function writeSummary(runsDir: string, folder: string, content: SummaryFile): Promise<void> {
  const text = `${JSON.stringify(content)}\n`;
  await intoPlace(summaryFile(runsDir, folder), (temporary) => writeFile(temporary, text));
}
