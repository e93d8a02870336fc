import { DAY_MS } from '../warehouse/ground/dates.ts';
import type { AirportMeasure } from './airport-measures.ts';
import type { EventType } from '../warehouse/live/news.ts';
import type { FlightEvent } from './event-risk.ts';
import { countryInSentence } from '../warehouse/ground/country-in-sentence.ts';
import { formatList } from '../warehouse/ground/format-list.ts';

/** Returns the name of an airline; undefined for an unknown code. */
export type AirlineNameOf = (code: string) => string | undefined;

/** Source of the measures at airports. */
const FAA = 'FAA airport status';

/** Formats a traffic measure at an airport as a clause: `JFK is closed today (FAA airport status)`. */
export function causeOfMeasure({
  airport,
  kind,
}: Pick<AirportMeasure, 'airport' | 'kind'>): string {
  return `${MEASURES[kind].replace('#', airport)} (${FAA})`;
}

const MEASURES: Record<AirportMeasure['kind'], string> = {
  closure: '# is closed today',
  stop: 'a ground stop holds flights to #',
  delay: 'a ground delay program holds flights to #',
  departures: 'departures from # are delayed',
  arrivals: 'arrivals at # are delayed',
};

/** The kind of report: no flights operate, flights are disrupted, or a strike is threatened. */
export type Tone = 'stop' | 'trouble' | 'threat';

/**
 * Formats an event as a clause with its source: `American Airlines has grounded its flights today (Reuters)`. If the
 * event is not today, the clause includes its date.
 */
export function causeOfEvent(
  event: EventFacts,
  tone: Tone,
  nameOf: AirlineNameOf,
  now: Date,
): string {
  const { days, publishedAt, source } = event;
  const isRecent = now.getTime() - Date.parse(publishedAt) <= DAY_MS;
  const isStop = tone === 'stop';
  const daysText = days === undefined ? (isStop && isRecent ? ' today' : '') : daysClause(days);
  const airlines = formatList(event.touches.carriers.map((code) => nameOf(code) ?? code));
  const clause = isStop
    ? stopClause(event, airlines, daysText)
    : `${troubleClause(event, airlines, tone)}${daysText}`;
  const dated = isRecent || days !== undefined ? '' : `, ${formatDay(publishedAt)}`;
  return `${clause} (${source}${dated})`;
}

type EventFacts = Pick<FlightEvent, 'eventType' | 'touches' | 'days' | 'publishedAt' | 'source'>;

function stopClause(
  { eventType, touches }: EventFacts,
  airlines: string,
  daysText: string,
): string {
  const { airports, carriers } = touches;
  const isOne = (names: readonly string[]) => names.length === 1;
  if (eventType === 'strike') {
    return `a strike stops all flights${airlines && ` of ${airlines}`}${placeClause(touches)}${daysText}`;
  }
  if (carriers.length > 0) {
    const predicate = isOne(carriers) ? 'has grounded its' : 'have grounded their';
    return `${airlines} ${predicate} flights${placeClause(touches)}${daysText}`;
  }
  return airports.length > 0
    ? `${formatList(airports)} ${isOne(airports) ? 'is' : 'are'} closed${daysText}`
    : `no flights are allowed${placeClause(touches)}${daysText}`;
}

const TROUBLES: Record<EventType, string> = {
  strike: 'a strike is announced',
  weather: 'bad weather is reported to disrupt flights',
  atc: 'air traffic control is reported to hold flights',
  security: 'a security incident is reported to disrupt flights',
  technical: 'a technical failure is reported to disrupt flights',
  general: 'flights are reported to be disrupted',
};

function troubleClause({ eventType, touches }: EventFacts, airlines: string, tone: Tone): string {
  const trouble = tone === 'threat' ? 'a strike is threatened' : TROUBLES[eventType];
  return `${trouble}${airlines && ` for ${airlines}`}${placeClause(touches)}`;
}

// The format is created only once, because creating it takes longer than using it.
const DAY_FORMAT = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'long', timeZone: 'UTC' },
});

function placeClause({ airports, countries }: FlightEvent['touches']): string {
  if (airports.length > 0) return ` at ${formatList(airports)}`;
  return countries.length > 0 ? ` in ${formatList(countries.map(countryInSentence))}` : '';
}

function daysClause({ from, until }: NonNullable<FlightEvent['days']>): string {
  return from === until
    ? ` on ${formatDay(from)}`
    : ` from ${formatDay(from)} to ${formatDay(until)}`;
}

/** Formats a time as its day in UTC, such as `24 November`. */
function formatDay(iso: string): string {
  return DAY_FORMAT.format(new Date(iso));
}
