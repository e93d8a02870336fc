import { countryInSentence } from '../../warehouse/ground/country-in-sentence.ts';
import { formatList } from '../../warehouse/ground/format-list.ts';
import type { NewsItem } from '../../warehouse/live/news.ts';

/** An item without its summary. */
export type UnsummarisedItem = Omit<NewsItem, 'summary'> & { description: string };

/** Writes one sentence about the effect of an item on flights. */
export type Summarise = (item: UnsummarisedItem) => Promise<string>;

const CAUSES: Record<NewsItem['eventType'], string> = {
  strike: 'Industrial action',
  weather: 'Weather',
  atc: 'Air traffic control',
  security: 'A security situation',
  technical: 'A technical problem',
  general: 'A disruption',
};

const EFFECTS: Record<NewsItem['impact'], string> = {
  low: 'is reported to delay flights',
  medium: 'is reported to disrupt flights',
  high: 'is reported to stop or cancel flights',
};

/** Builds the sentence only from the classifier's result, so that it cannot state more than the source. */
export function builtInSummary({ eventType, impact, touches }: UnsummarisedItem): string {
  return `${CAUSES[eventType]} ${EFFECTS[impact]}${airlineClause(touches)}${placeClause(touches)}.`;
}

function airlineClause({ carriers }: NewsItem['touches']): string {
  return carriers.length === 0 ? '' : ` of ${formatList(carriers)}`;
}

function placeClause({ airports, countries }: NewsItem['touches']): string {
  if (airports.length > 0) return ` at ${formatList(airports)}`;
  return countries.length === 0 ? '' : ` in ${formatList(countries.map(countryInSentence))}`;
}
