import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { dateAt, firstDay, monthOf } from '../../ground/dates.ts';
import { forEachConcurrently } from './for-each-concurrently.ts';
import { runFile, listRunIds, listRunMonths } from '../ledger.ts';
import { foldedIds } from '../run-summaries.ts';
import type { LakeCopy } from './unit-copy.ts';
import { writeAtomically } from '../../ground/temporary.ts';

const RUNS = 'runs/';
const CONCURRENCY = 8;

/** Uploads a run to the shared lake. */
export async function putRun({ lakeDir, objects }: LakeCopy, id: string): Promise<void> {
  const name = `${RUNS}${runFile(id)}`;
  await objects.put(name, await readFile(path.join(lakeDir, name)));
}

/**
 * Downloads runs of other machines. Downloads only runs since the second-newest month of the local ledger, or all runs
 * if the local ledger has fewer than two months. Skips runs that a local summary includes.
 */
export async function fetchRuns({ lakeDir, objects }: LakeCopy, now: Date): Promise<void> {
  const runsDir = path.join(lakeDir, RUNS);
  const months = (await listRunMonths(runsDir)).slice(-2);
  const from = months.length < 2 ? undefined : months[0];
  const prefixes = from === undefined ? [''] : listMonthsFrom(from, now);
  const sharedRuns = await Promise.all(prefixes.map((month) => objects.list(`${RUNS}${month}`)));
  const localIds = [...(await listRunIds(runsDir)), ...(await foldedIds(runsDir, months))];
  const localNames = new Set(localIds.map((id) => `${RUNS}${runFile(id)}`));
  const missing = sharedRuns.flat().filter(({ name }) => !localNames.has(name));
  await forEachConcurrently(missing, CONCURRENCY, async ({ name }) => {
    const text = await objects.read(name);
    if (!text) return;
    await writeAtomically(path.join(lakeDir, name), (temporary) => writeFile(temporary, text));
  });
}

/** Uploads the local runs that are missing in the shared lake. */
export async function uploadRuns({ lakeDir, objects }: LakeCopy): Promise<void> {
  const names = (await listRunIds(path.join(lakeDir, RUNS))).map((id) => `${RUNS}${runFile(id)}`);
  const sharedNames = new Set((await objects.list(RUNS)).map(({ name }) => name));
  const missing = names.filter((name) => !sharedNames.has(name));
  await forEachConcurrently(missing, CONCURRENCY, async (name) => {
    await objects.put(name, await readFile(path.join(lakeDir, name)));
  });
}

/** Lists the months from `first` (`YYYY-MM`) to the month of `until`. */
function listMonthsFrom(first: string, until: Date): string[] {
  const last = monthOf(dateAt(until));
  const months = [first];
  for (let month = first; month < last; months.push(month)) month = monthOf(firstDay(month, 1));
  return months;
}
