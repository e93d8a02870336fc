import { type Gazetteer, createGazetteer } from '../../pipelines/news/gazetteer.ts';
import { judge } from '../../pipelines/news/judge.ts';
import { readNamedAirlines } from '../../warehouse/reference/airlines.ts';
import type { Outcome } from './figures.ts';
import type { Headline } from './headlines.ts';
import { readScheduledAirports } from '../../warehouse/reference/airports.ts';

/** The classifier takes this year as the current year when it reads the labelled headlines. */
const YEAR = 2026;

/** Loads the service's names of airports and airlines, from its reference data. */
export async function loadGazetteer(): Promise<Gazetteer> {
  return createGazetteer({
    airports: await readScheduledAirports(),
    airlines: readNamedAirlines(),
  });
}

/** Classifies each headline as the service does. */
export function classifyHeadlines(
  headlines: Headline[],
  gazetteer: Gazetteer,
): (Outcome & { text: string })[] {
  return headlines.map(({ label, text }) => {
    const verdict = judge({ title: text, description: '' }, YEAR, gazetteer);
    return { label, text, predicted: verdict?.eventType ?? 'none' };
  });
}
