import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readIfExists, syncPath } from '../ground/files.ts';
import { sum } from '../ground/numbers.ts';
import {
  newestRun,
  readRuns,
  runFolder,
  listRunIds,
  listRunMonths,
  stepOf,
  type Run,
  type RunStep,
} from './ledger.ts';
import { writeAtomically } from '../ground/temporary.ts';

/** Totals of old runs with the same month, step and outcome. */
export type RunSummary = {
  step: RunStep;
  outcome: Run['outcome'];
  runCount: number;
  /** Total duration. */
  seconds: number;
  rowsIn: number;
  rowsOut: number;
  rowsRejected: number;
  /** Start times of the first run and of the last run. */
  firstAt: string;
  lastAt: string;
};

/** Content of `summary.json` in the folder of a month. */
type SummaryFile = {
  runs: RunSummary[];
  /**
   * Ids of the runs that the totals include. Other machines may still have the files of these runs. Such runs must not
   * be counted again.
   */
  folded: string[];
};

/**
 * Replaces the runs that began before `until` by one summary per month. Returns the number of replaced runs. The newest
 * run and the newest successful run of each step remain, because the status shows them. If the process is killed, the
 * next call continues, and each run is still counted once. Only one process at a time may call this function.
 */
export async function foldRuns(runsDir: string, until: Date): Promise<number> {
  const ids = await listRunIds(runsDir);
  const before = until.toISOString().replaceAll(/[-:.]/g, '');
  const old = ids.filter((id) => id < before);
  const newestIds = await newestOfSteps(runsDir, ids, new Set(old.map(stepOf)));
  const byFolder = Map.groupBy(
    old.filter((id) => !newestIds.has(id)),
    runFolder,
  );
  let count = 0;
  for (const [folder, folderIds] of byFolder) count += await foldInto(runsDir, folder, folderIds);
  return count;
}

/** Returns the ids of the runs that the summaries of these months (`2026-11`) include. */
export async function foldedIds(runsDir: string, months: string[]): Promise<string[]> {
  const files = await Promise.all(months.map((folder) => readSummary(runsDir, folder)));
  return files.flatMap(({ folded }) => folded);
}

/** Reads all summaries, sorted by month; `month` is the first day of the month. */
export async function readSummaries(runsDir: string): Promise<(RunSummary & { month: string })[]> {
  const months = await listRunMonths(runsDir);
  const files = await Promise.all(months.map((folder) => readSummary(runsDir, folder)));
  return files.flatMap(({ runs }, index) =>
    runs.map((one) => ({ month: `${months[index]}-01`, ...one })),
  );
}

async function newestOfSteps(runsDir: string, all: string[], steps: Set<RunStep>) {
  const files = { ids: async () => all, read: (ids: string[]) => readRuns(runsDir, ids) };
  const newestIds = new Set<string>();
  for (const step of steps) {
    for (const run of [await newestRun(files, [step]), await newestRun(files, [step], 'done')]) {
      if (run) newestIds.add(run.id);
    }
  }
  return newestIds;
}

/**
 * Adds runs to a month's summary. The ids of the runs are written before their files are removed, so that no run is
 * counted twice.
 */
async function foldInto(runsDir: string, folder: string, ids: string[]): Promise<number> {
  const { runs: summaries, folded } = await readSummary(runsDir, folder);
  const countedIds = new Set(folded);
  const runs = await readRuns(
    runsDir,
    ids.filter((id) => !countedIds.has(id)),
  );
  const addedIds = runs.map(({ id }) => id);
  const removable = [...ids.filter((id) => countedIds.has(id)), ...addedIds];
  if (removable.length === 0) return 0;
  if (addedIds.length > 0) {
    await writeSummary(runsDir, folder, {
      runs: mergeSummaries([...summaries, ...runs.map(toSummary)]),
      folded: [...folded, ...addedIds],
    });
  }
  for (const id of removable) await rm(path.join(runsDir, folder, `${id}.json`), { force: true });
  await syncPath(path.join(runsDir, folder));
  return addedIds.length;
}

function toSummary({ step, outcome, startedAt, finishedAt, ...run }: Run): RunSummary {
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

function mergeSummaries(parts: RunSummary[]): RunSummary[] {
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
  const text = await readIfExists(summaryFile(runsDir, folder));
  return text === undefined
    ? { runs: [], folded: [] }
    : (JSON.parse(text.toString()) as SummaryFile);
}

async function writeSummary(runsDir: string, folder: string, content: SummaryFile): Promise<void> {
  const text = `${JSON.stringify(content)}\n`;
  await writeAtomically(summaryFile(runsDir, folder), (temporary) => writeFile(temporary, text));
}
