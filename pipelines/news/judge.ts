import { classify, type Judgement } from './classify.ts';
import type { Gazetteer } from './gazetteer.ts';
import { matchPlaces, type Touches } from './match-places.ts';

/** What an item means for flights, and for which. */
export type Judged = Judgement & { touches: Touches };

/** Judges an item by its words and the names in it; `undefined` when it disrupts no flight. Pure. */
export function judge(
  item: { title: string; description: string },
  year: number,
  gazetteer: Gazetteer,
): Judged | undefined {
  const inTitle = matchPlaces(item.title, gazetteer);
  const judgement = classify({ ...item, namesAviation: inTitle.namesAviation, year });
  if (!judgement) return undefined;
  // The description names much besides; it is asked only where the title names no place.
  const { namesAviation: _, ...touches } = isEmpty(inTitle)
    ? matchPlaces(item.description, gazetteer)
    : inTitle;
  return { ...judgement, touches };
}

function isEmpty({ airports, carriers, countries }: Touches): boolean {
  return airports.length + carriers.length + countries.length === 0;
}
