import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { dateAt, firstDay, monthOf } from '../../ground/dates.ts';
import { forEachOf } from './several.ts';
import { intoPlace } from '../../ground/into-place.ts';
import { runFile, runIds, runMonths } from '../ledger.ts';
import { foldedIds } from '../run-summaries.ts';
import type { LakeCopy } from './unit-copy.ts';

const RUNS = 'runs/';
const AT_ONCE = 8;

/** Gives a run to all. */
export async function putRun({ lakeDir, objects }: LakeCopy, id: string): Promise<void> {
  const name = `${RUNS}${runFile(id)}`;
  await objects.put(name, await readFile(path.join(lakeDir, name)));
}

/**
 * Fetches runs of other machines: those of the last two months that this one has runs of, and later ones; without any, all.
 * Runs that are folded into a summary here are known, and stay away.
 */
export async function bringRuns({ lakeDir, objects }: LakeCopy, now: Date): Promise<void> {
  const runsDir = path.join(lakeDir, RUNS);
  const months = (await runMonths(runsDir)).slice(-2);
  const from = months.length < 2 ? undefined : months[0];
  const wanted = from === undefined ? [''] : monthsFrom(from, now);
  const there = await Promise.all(wanted.map((month) => objects.list(`${RUNS}${month}`)));
  const known = [...(await runIds(runsDir)), ...(await foldedIds(runsDir, months))];
  const here = new Set(known.map((id) => `${RUNS}${runFile(id)}`));
  const missing = there.flat().filter(({ name }) => !here.has(name));
  await forEachOf(missing, AT_ONCE, async ({ name }) => {
    const text = await objects.read(name);
    if (!text) return;
    await intoPlace(path.join(lakeDir, name), (temporary) => writeFile(temporary, text));
  });
}

/** Gives the runs of this machine that others lack to them. */
export async function giveRuns({ lakeDir, objects }: LakeCopy): Promise<void> {
  const names = (await runIds(path.join(lakeDir, RUNS))).map((id) => `${RUNS}${runFile(id)}`);
  const there = new Set((await objects.list(RUNS)).map(({ name }) => name));
  const missing = names.filter((name) => !there.has(name));
  await forEachOf(missing, AT_ONCE, async (name) => {
    await objects.put(name, await readFile(path.join(lakeDir, name)));
  });
}

/** From a month (`YYYY-MM`) to that of a moment. */
function monthsFrom(first: string, until: Date): string[] {
  const last = monthOf(dateAt(until));
  const months = [first];
  for (let month = first; month < last; months.push(month)) month = monthOf(firstDay(month, 1));
  return months;
}
