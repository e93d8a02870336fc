import { DAY_MS } from '../warehouse/ground/dates.ts';
import type { AirportMeasure } from './airport-measures.ts';
import type { EventType } from '../warehouse/live/news.ts';
import type { FlightEvent } from './event-risk.ts';
import { listed } from '../warehouse/ground/listed.ts';

/** What the code of an airline is called; undefined for one nobody knows. */
export type AirlineName = (code: string) => string | undefined;

/** Who tells of measures at airports. */
const FAA = 'FAA airport status';

/** A measure in force as a clause: `JFK is closed today (FAA airport status)`. */
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

/** What a report says: that nothing flies, that flights are in trouble, or that a strike may come. */
export type Tone = 'stop' | 'trouble' | 'threat';

/**
 * An event as a clause with its source: `American Airlines has grounded its flights today (Reuters)`. What is not of
 * today is dated.
 */
export function causeOfEvent(event: Told, tone: Tone, nameOf: AirlineName, now: Date): string {
  const { days, publishedAt, source } = event;
  const isRecent = now.getTime() - Date.parse(publishedAt) <= DAY_MS;
  const isStop = tone === 'stop';
  const on = days === undefined ? (isStop && isRecent ? ' today' : '') : dayOf(days);
  const airlines = listed(event.touches.carriers.map((code) => nameOf(code) ?? code));
  const clause = isStop ? stopOf(event, airlines, on) : `${troubleOf(event, airlines, tone)}${on}`;
  const dated = isRecent || days !== undefined ? '' : `, ${dayName(publishedAt)}`;
  return `${clause} (${source}${dated})`;
}

type Told = Pick<FlightEvent, 'eventType' | 'touches' | 'days' | 'publishedAt' | 'source'>;

function stopOf({ eventType, touches }: Told, airlines: string, on: string): string {
  const { airports, carriers } = touches;
  const isOne = (names: readonly string[]) => names.length === 1;
  if (eventType === 'strike') {
    return `a strike stops all flights${airlines && ` of ${airlines}`}${placeOf(touches)}${on}`;
  }
  if (carriers.length > 0) {
    const grounded = isOne(carriers) ? 'has grounded its' : 'have grounded their';
    return `${airlines} ${grounded} flights${placeOf(touches)}${on}`;
  }
  return airports.length > 0
    ? `${listed(airports)} ${isOne(airports) ? 'is' : 'are'} closed${on}`
    : `no flights are let through${placeOf(touches)}${on}`;
}

const TROUBLES: Record<EventType, string> = {
  strike: 'a strike is announced',
  weather: 'bad weather is reported to disrupt flights',
  atc: 'air traffic control is reported to hold flights',
  security: 'a security incident is reported to disrupt flights',
  technical: 'a technical failure is reported to disrupt flights',
  general: 'flights are reported to be disrupted',
};

function troubleOf({ eventType, touches }: Told, airlines: string, tone: Tone): string {
  const trouble = tone === 'threat' ? 'a strike is threatened' : TROUBLES[eventType];
  return `${trouble}${airlines && ` for ${airlines}`}${placeOf(touches)}`;
}

function placeOf({ airports, countries }: FlightEvent['touches']): string {
  if (airports.length > 0) return ` at ${listed(airports)}`;
  const names = new Intl.DisplayNames(['en'], { type: 'region' });
  return countries.length > 0
    ? ` in ${listed(countries.map((code) => names.of(code) ?? code))}`
    : '';
}

function dayOf({ from, until }: NonNullable<FlightEvent['days']>): string {
  return from === until ? ` on ${dayName(from)}` : ` from ${dayName(from)} to ${dayName(until)}`;
}

/** `24 November`, by the calendar in UTC. */
function dayName(iso: string): string {
  return new Date(iso).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  });
}
