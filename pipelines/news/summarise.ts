import { listed } from '../../warehouse/ground/listed.ts';
import type { NewsItem } from '../../warehouse/live/news.ts';

/** An item before it has its summary. */
export type Unsummarised = Omit<NewsItem, 'summary'> & { description: string };

/** One sentence about what an item means for flights. */
export type Summarise = (item: Unsummarised) => Promise<string>;

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

/** The sentence made from what the classifier found, and nothing else: it cannot say what the source does not. */
export function builtInSummary({ eventType, impact, touches }: Unsummarised): string {
  return `${CAUSES[eventType]} ${EFFECTS[impact]}${whose(touches)}${where(touches)}.`;
}

function whose({ carriers }: NewsItem['touches']): string {
  return carriers.length === 0 ? '' : ` of ${listed(carriers)}`;
}

function where({ airports, countries }: NewsItem['touches']): string {
  if (airports.length > 0) return ` at ${listed(airports)}`;
  const names = new Intl.DisplayNames(['en'], { type: 'region' });
  return countries.length === 0
    ? ''
    : ` in ${listed(countries.map((code) => names.of(code) ?? code))}`;
}
