import type { Gazetteer } from '../../pipelines/news/gazetteer.ts';
import { createGazetteer } from '../../pipelines/news/gazetteer.ts';
import { judge } from '../../pipelines/news/judge.ts';
import { readNamedAirlines } from '../../warehouse/reference/airlines.ts';
import { readScheduledAirports } from '../../warehouse/reference/scheduled-airports.ts';
import type { Outcome } from './figures.ts';
import type { Labelled } from './headlines.ts';

/** The year the labelled headlines are read in. */
const YEAR = 2026;

/** The names the service knows, from the reference data it ships with. */
export async function realGazetteer(): Promise<Gazetteer> {
  return createGazetteer({
    airports: await readScheduledAirports(),
    airlines: readNamedAirlines(),
  });
}

/** What the service makes of each headline. */
export function outcomesOf(
  headlines: Labelled[],
  gazetteer: Gazetteer,
): (Outcome & { text: string })[] {
  return headlines.map(({ label, text }) => {
    const judged = judge({ title: text, description: '' }, YEAR, gazetteer);
    return { label, text, got: judged?.eventType ?? 'none' };
  });
}
