import type { EventType } from '../../warehouse/live/news.ts';
import { classify, endedEvent, type Judgement } from './classify.ts';
import type { Gazetteer } from './gazetteer.ts';
import { matchPlaces, withoutNames, type Touches } from './match-places.ts';

/** The effect of an item on flights, and which flights it affects. */
export type JudgedItem = Judgement & { touches: Touches };

/** An event that is over or was cancelled, and the places of the event. */
export type Ending = { eventType: EventType; touches: Touches };

type Text = { title: string; description: string };

/** Judges an item by its words and names; `undefined` when it disrupts no flight. Pure. */
export function judge(item: Text, year: number, gazetteer: Gazetteer): JudgedItem | undefined {
  const { namesAviation, touches } = placesOf(item, gazetteer);
  const nameless = withoutNames(item.title, gazetteer);
  const judgement = classify({ ...item, nameless, namesAviation, year });
  return judgement && { ...judgement, touches };
}

/**
 * Returns the event that an item reports as over, such as a cancelled strike; `undefined` for all other items. Pure.
 */
export function judgeEnding(item: Text, year: number, gazetteer: Gazetteer): Ending | undefined {
  const { namesAviation, touches } = placesOf(item, gazetteer);
  const eventType = endedEvent({ ...item, nameless: '', namesAviation, year });
  return eventType && { eventType, touches };
}

function placesOf({ title, description }: Text, gazetteer: Gazetteer) {
  const { namesAviation, ...inTitle } = matchPlaces(title, gazetteer);
  if (!isEmpty(inTitle)) return { namesAviation, touches: inTitle };
  // Descriptions mention many other places, so they are used only when the title names no place.
  const { namesAviation: _, ...touches } = matchPlaces(description, gazetteer);
  return { namesAviation, touches };
}

function isEmpty({ airports, carriers, countries }: Touches): boolean {
  return airports.length + carriers.length + countries.length === 0;
}
