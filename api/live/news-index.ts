import type { NewsItem } from '../../warehouse/live/news.ts';

/** The news by what they touch, so that a flight looks at those that may be its own alone. */
export type NewsIndex = {
  count: number;
  /** Whether any item names the code. */
  names: (kind: keyof Touched, code: string) => boolean;
  /** Items that name one of the codes: airports, countries, airlines; each once, newest first. */
  touching: (names: Touched) => NewsItem[];
};

type Touched = { airports: string[]; countries: string[]; carriers: string[] };

const KINDS = ['airports', 'countries', 'carriers'] as const;

/** Makes the index; items come newest first. */
export function indexNews(items: NewsItem[]): NewsIndex {
  const byName = new Map<string, Set<number>>();
  const named = { airports: new Set(), countries: new Set(), carriers: new Set() };
  items.forEach(({ touches }, at) => {
    for (const kind of KINDS) for (const code of touches[kind]) named[kind].add(code);
    for (const name of namesOf(touches)) {
      const places = byName.get(name) ?? new Set();
      byName.set(name, places.add(at));
    }
  });
  const none: ReadonlySet<number> = new Set();
  return {
    count: items.length,
    names: (kind, code) => named[kind].has(code),
    touching: (names) => {
      const found = new Set<number>();
      for (const name of namesOf(names)) for (const at of byName.get(name) ?? none) found.add(at);
      if (found.size === 0) return [];
      return [...found].toSorted((a, b) => a - b).flatMap((at) => items[at] ?? []);
    },
  };
}

/** Codes of one kind may equal those of another: FR is a country and an airline. */
function namesOf({ airports, countries, carriers }: NewsItem['touches']): string[] {
  return [
    ...airports.map((code) => `airport ${code}`),
    ...countries.map((code) => `country ${code}`),
    ...carriers.map((code) => `carrier ${code}`),
  ];
}
