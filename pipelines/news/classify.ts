import type { EventType } from '../../warehouse/live/news.ts';
import { findPhrases, foldText, languagesOf, type PhraseMatch, type Section } from './phrases.ts';

export type Impact = 'low' | 'medium' | 'high';

/** The effect of an item on flights. docs/news.md explains the scale of `severity`. */
export type Judgement = { eventType: EventType; impact: Impact; severity: number };

export type NewsText = {
  title: string;
  description: string;
  /** The title, in which names are replaced by `airport` and `airline`, so that phrases match any name. */
  nameless: string;
  /**
   * Evidence of aviation in the names: 2 for an airport or airline, 1 for a city or country, otherwise 0.
   */
  namesAviation: 0 | 1 | 2;
  /** Year of publication. An earlier year in the title shows that the item looks back. */
  year: number;
};

/**
 * Types in order of precedence. If types have equal scores, the first one is chosen, because its cause is more direct.
 */
const TYPES: readonly EventType[] = [
  'strike',
  'security',
  'atc',
  'technical',
  'weather',
  'general',
];

/**
 * Factor for phrases in the description. A title names the subject of the item, but a description also mentions other
 * matters.
 */
const DESCRIPTION_SHARE = 0.5;
/**
 * Minimum weight of words about aviation. One word that is used only in aviation is enough, or two words that are also
 * used elsewhere.
 */
const AVIATION_MIN = 2;
/** Minimum weight of words for the event. One plain word is enough. */
const EVENT_MIN = 3;
/** From this weight on, a word always means a strike. */
const PLAIN_STRIKE = 4;
/**
 * A veto is a phrase that speaks against an event. From this weight on, the veto is final: the event is over or long
 * past.
 */
const FINAL_VETO = 6;
/** From this weight on, a veto means that the event is now over or cancelled, not that it is long past. */
const OVER_VETO = 9;
/** Types that affect flights only when the text mentions a disruption. */
const NEEDS_DISRUPTION: readonly EventType[] = ['weather', 'technical', 'general'];

/** Classifies the effect of an item on flights; `undefined` when it disrupts no flight. */
export function classify(news: NewsText): Judgement | undefined {
  const reading = readPhrases(news);
  if (!reading || reading.vetoes.some(({ weight }) => weight >= FINAL_VETO)) return undefined;
  const { type, evidence, disruption, vetoes } = reading;
  // If the text clearly describes a disruption of flights, words about another subject have less weight.
  if (vetoes.length > 0 && sumWeights(vetoes) >= evidence + disruption) return undefined;
  const eventType = evidence >= EVENT_MIN ? type : 'general';
  const least = NEEDS_DISRUPTION.includes(eventType) ? 0.4 : 0;
  if (disruption < least || (evidence < EVENT_MIN && disruption < 0.55)) return undefined;
  return rate(eventType, disruption, reading.isProspect);
}

/** The type of an event that the item reports as over or cancelled; `undefined` for other items. */
export function endedEvent(news: NewsText): EventType | undefined {
  const reading = readPhrases(news);
  if (!reading || reading.evidence < EVENT_MIN) return undefined;
  return reading.vetoes.some(({ weight }) => weight >= OVER_VETO) ? reading.type : undefined;
}

type Reading = {
  type: EventType;
  evidence: number;
  disruption: number;
  vetoes: PhraseMatch[];
  isProspect: boolean;
};

/** Collects the phrases of an item that is current and about aviation; `undefined` for other items. */
function readPhrases(news: NewsText): Reading | undefined {
  const title = foldText(news.title);
  const languages = languagesOf(title);
  const description = foldText(news.description);
  const weigh = (section: Section) =>
    sumWeights(findPhrases(title, section, languages)) +
    DESCRIPTION_SHARE * sumWeights(findPhrases(description, section, languages));
  if (weigh('aviation') + news.namesAviation < AVIATION_MIN) return undefined;
  if (isRetrospective(title, news.year)) return undefined;
  const [type, evidence] = leadingType(TYPES.map((type) => [type, weigh(type)]));
  return {
    type,
    evidence,
    disruption: maxWeight([
      ...findPhrases(`${title}${description}`, 'disruption', languages),
      ...findPhrases(foldText(news.nameless), 'halt', languages),
    ]),
    vetoes: findPhrases(title, 'veto', languages),
    isProspect: findPhrases(title, 'prospect', languages).length > 0,
  };
}

/** Severity of each type when the text mentions no disruption. */
const DEFAULT_SEVERITY: Record<EventType, number> = {
  strike: 0.6,
  security: 0.5,
  atc: 0.5,
  technical: 0.4,
  weather: 0.4,
  general: 0.4,
};

/** Factor for an event that is only feared or announced. It has less effect than a current event. */
const PROSPECT_SHARE = 0.8;

function rate(eventType: EventType, disruption: number, isProspect: boolean): Judgement {
  // A strike has at least its default severity, even if the text mentions only a small disruption such as waiting
  // times.
  const least = eventType === 'strike' || disruption === 0 ? DEFAULT_SEVERITY[eventType] : 0;
  const baseSeverity = Math.max(least, disruption);
  const severity = Math.round(100 * baseSeverity * (isProspect ? PROSPECT_SHARE : 1)) / 100;
  return { eventType, severity, impact: impactOf(severity) };
}

/** Delays have a low severity, cancellations a medium to high severity, and closures a high severity. */
function impactOf(severity: number): Impact {
  if (severity < 0.45) return 'low';
  return severity < 0.7 ? 'medium' : 'high';
}

function isRetrospective(title: string, year: number): boolean {
  const years = [...title.matchAll(/ ((?:19|20)\d\d)(?= )/g)].map(([, digits]) => Number(digits));
  return years.some((one) => one < year);
}

/**
 * Returns the type with most evidence. A strike takes precedence over its symptoms, such as missing controllers or
 * queues.
 */
function leadingType(scores: [EventType, number][]): [EventType, number] {
  const best = scores.reduce((best, one) => (one[1] > best[1] ? one : best));
  const strike = scores.find(([type]) => type === 'strike');
  const isSymptom = best[0] === 'atc' || best[0] === 'general';
  return strike && strike[1] >= PLAIN_STRIKE && isSymptom ? ['strike', best[1]] : best;
}

function maxWeight(matches: PhraseMatch[]): number {
  return Math.max(0, ...matches.map(({ weight }) => weight));
}

function sumWeights(matches: PhraseMatch[]): number {
  return matches.reduce((all, { weight }) => all + weight, 0);
}
