import type { EventType } from '../../warehouse/live/news.ts';
import { findPhrases, folded, languagesOf, type Found, type Section } from './phrases.ts';

export type Impact = 'low' | 'medium' | 'high';

/** What an item says about flights; docs/news.md explains the scale of `severity`. */
export type Judgement = { eventType: EventType; impact: Impact; severity: number };

export type NewsText = {
  title: string;
  description: string;
  /** The title with its airports and airlines called so: what brings them to a halt is said in many names. */
  nameless: string;
  /** How much the names in it are of flying: 2 an airport's own or an airline's, 1 a city or country, 0 none. */
  namesAviation: 0 | 1 | 2;
  /** Year it was published in; an earlier one in the title marks a look back. */
  year: number;
};

/** In order of precedence when two score alike: the nearer cause first. */
const TYPES: readonly EventType[] = [
  'strike',
  'security',
  'atc',
  'technical',
  'weather',
  'general',
];

/** A title says what the item is about; a description also says what else happened. */
const DESCRIPTION_SHARE = 0.5;
/** One word that is only used of flying, or two that are used of it among other things. */
const AVIATION_MIN = 2;
/** One plain word for the event. */
const EVENT_MIN = 3;
/** The weight of a word that means a strike and nothing else. */
const PLAIN_STRIKE = 4;
/** From here a veto stands whatever else is said: the event is over, or long past. */
const FINAL_VETO = 6;
/** From here it says that the event is over, not that it is long past. */
const OVER_VETO = 9;
/** Types that are no event for flights until the text says what happens to them. */
const NEEDS_DISRUPTION: readonly EventType[] = ['weather', 'technical', 'general'];

/** What the item means for flights; `undefined` for one that disrupts none. */
export function classify(news: NewsText): Judgement | undefined {
  const reading = read(news);
  if (!reading || reading.vetoes.some(({ weight }) => weight >= FINAL_VETO)) return undefined;
  const { type, evidence, disruption, vetoes } = reading;
  // A word of another matter weighs less the plainer it is said what happens to flights.
  if (vetoes.length > 0 && sum(vetoes) >= evidence + disruption) return undefined;
  const eventType = evidence >= EVENT_MIN ? type : 'general';
  const least = NEEDS_DISRUPTION.includes(eventType) ? 0.4 : 0;
  if (disruption < least || (evidence < EVENT_MIN && disruption < 0.55)) return undefined;
  return rated(eventType, disruption, reading.isProspect);
}

/** The type of the event the item says is over or does not come; `undefined` when it says nothing of the kind. */
export function endedEvent(news: NewsText): EventType | undefined {
  const reading = read(news);
  if (!reading || reading.evidence < EVENT_MIN) return undefined;
  return reading.vetoes.some(({ weight }) => weight >= OVER_VETO) ? reading.type : undefined;
}

type Reading = {
  type: EventType;
  evidence: number;
  disruption: number;
  vetoes: Found[];
  isProspect: boolean;
};

/** What the phrases say of an item about flying, of today; `undefined` for any other. */
function read(news: NewsText): Reading | undefined {
  const title = folded(news.title);
  const languages = languagesOf(title);
  const description = folded(news.description);
  const weigh = (section: Section) =>
    sum(findPhrases(title, section, languages)) +
    DESCRIPTION_SHARE * sum(findPhrases(description, section, languages));
  if (weigh('aviation') + news.namesAviation < AVIATION_MIN) return undefined;
  if (looksBack(title, news.year)) return undefined;
  const [type, evidence] = leading(TYPES.map((type) => [type, weigh(type)]));
  return {
    type,
    evidence,
    disruption: worst([
      ...findPhrases(`${title}${description}`, 'disruption', languages),
      ...findPhrases(folded(news.nameless), 'halt', languages),
    ]),
    vetoes: findPhrases(title, 'veto', languages),
    isProspect: findPhrases(title, 'prospect', languages).length > 0,
  };
}

/** How bad each type is when nothing is said of what it does to flights. */
const UNTOLD: Record<EventType, number> = {
  strike: 0.6,
  security: 0.5,
  atc: 0.5,
  technical: 0.4,
  weather: 0.4,
  general: 0.4,
};

/** What is only feared or announced counts for less than what happens. */
const PROSPECT_SHARE = 0.8;

function rated(eventType: EventType, disruption: number, isProspect: boolean): Judgement {
  // A strike stops flights whatever else is said of it, such as whom it makes wait.
  const least = eventType === 'strike' || disruption === 0 ? UNTOLD[eventType] : 0;
  const told = Math.max(least, disruption);
  const severity = Math.round(100 * told * (isProspect ? PROSPECT_SHARE : 1)) / 100;
  return { eventType, severity, impact: impactOf(severity) };
}

/** Delays are low, cancellations medium to high, closures high. */
function impactOf(severity: number): Impact {
  if (severity < 0.45) return 'low';
  return severity < 0.7 ? 'medium' : 'high';
}

function looksBack(title: string, year: number): boolean {
  const years = [...title.matchAll(/ ((?:19|20)\d\d)(?= )/g)].map(([, digits]) => Number(digits));
  return years.some((one) => one < year);
}

/** The type with most evidence; a strike goes before what it shows in, such as missing controllers or queues. */
function leading(scores: [EventType, number][]): [EventType, number] {
  const best = scores.reduce((best, one) => (one[1] > best[1] ? one : best));
  const strike = scores.find(([type]) => type === 'strike');
  const isSymptom = best[0] === 'atc' || best[0] === 'general';
  return strike && strike[1] >= PLAIN_STRIKE && isSymptom ? ['strike', best[1]] : best;
}

function worst(found: Found[]): number {
  return Math.max(0, ...found.map(({ weight }) => weight));
}

function sum(found: Found[]): number {
  return found.reduce((all, { weight }) => all + weight, 0);
}
