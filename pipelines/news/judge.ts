import type { EventType } from '../../warehouse/live/news.ts';
import { classify, endedEvent, type Judgement } from './classify.ts';
import type { Gazetteer } from './gazetteer.ts';
import { matchPlaces, withoutNames, type Touches } from './match-places.ts';

/** What an item means for flights, and for which. */
export type Judged = Judgement & { touches: Touches };

/** An event that is over or does not come, and where. */
export type Ending = { eventType: EventType; touches: Touches };

type Text = { title: string; description: string };

/** Judges an item by its words and the names in it; `undefined` when it disrupts no flight. Pure. */
export function judge(item: Text, year: number, gazetteer: Gazetteer): Judged | undefined {
  const { namesAviation, touches } = placesOf(item, gazetteer);
  const nameless = withoutNames(item.title, gazetteer);
  const judgement = classify({ ...item, nameless, namesAviation, year });
  return judgement && { ...judgement, touches };
}

/** What an item says is over, such as a strike that is called off; `undefined` for all others. Pure. */
export function judgeEnding(item: Text, year: number, gazetteer: Gazetteer): Ending | undefined {
  const { namesAviation, touches } = placesOf(item, gazetteer);
  const eventType = endedEvent({ ...item, nameless: '', namesAviation, year });
  return eventType && { eventType, touches };
}

function placesOf({ title, description }: Text, gazetteer: Gazetteer) {
  const { namesAviation, ...inTitle } = matchPlaces(title, gazetteer);
  if (!isEmpty(inTitle)) return { namesAviation, touches: inTitle };
  // The description names much besides; it is asked only where the title names no place.
  const { namesAviation: _, ...touches } = matchPlaces(description, gazetteer);
  return { namesAviation, touches };
}

function isEmpty({ airports, carriers, countries }: Touches): boolean {
  return airports.length + carriers.length + countries.length === 0;
}
