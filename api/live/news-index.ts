import type { NewsItem } from '../../warehouse/live/news.ts';

/**
 * Index of news items by the airports, countries and airlines that the items name. With this index, only items that may
 * affect a flight are examined.
 */
export type NewsIndex = {
  count: number;
  /** Returns whether any item names the code. */
  isNamed: (kind: keyof Names, code: string) => boolean;
  /**
   * Returns the items that name at least one of the airports, countries or airlines. Newest first; each item appears
   * once.
   */
  findTouching: (names: Names) => NewsItem[];
};

type Names = { airports: string[]; countries: string[]; carriers: string[] };

const KINDS = ['airports', 'countries', 'carriers'] as const;

/** Builds the index; `items` must be sorted newest first. */
export function indexNews(items: NewsItem[]): NewsIndex {
  const byName = new Map<string, Set<number>>();
  const named = { airports: new Set(), countries: new Set(), carriers: new Set() };
  items.forEach(({ touches }, at) => {
    for (const kind of KINDS) for (const code of touches[kind]) named[kind].add(code);
    for (const name of namesOf(touches)) {
      const positions = byName.get(name) ?? new Set();
      byName.set(name, positions.add(at));
    }
  });
  const noPositions: ReadonlySet<number> = new Set();
  return {
    count: items.length,
    isNamed: (kind, code) => named[kind].has(code),
    findTouching: (names) => {
      const positions = new Set<number>();
      for (const name of namesOf(names)) {
        for (const at of byName.get(name) ?? noPositions) positions.add(at);
      }
      if (positions.size === 0) return [];
      return [...positions].toSorted((a, b) => a - b).flatMap((at) => items[at] ?? []);
    },
  };
}

/** Adds the kind to each code, because two kinds may share a code. For example, FR is a country and an airline. */
function namesOf({ airports, countries, carriers }: NewsItem['touches']): string[] {
  return [
    ...airports.map((code) => `airport ${code}`),
    ...countries.map((code) => `country ${code}`),
    ...carriers.map((code) => `carrier ${code}`),
  ];
}
