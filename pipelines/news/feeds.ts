import { stripQuery } from '../fetch-guarded.ts';

/** Addresses of feeds: general ones, and templates of searches for a route. */
export type Feeds = { general: string[]; perRoute: string[] };

/** The address of a feed, and its template when it is a search for a route. */
export type FeedAddress = { url: string; template?: string };

/** Values of the placeholders in a template. */
export type RouteWords = { origin: string; dest: string; origin_city: string; dest_city: string };

const SEARCH = 'https://news.google.com/rss/search?q=';
const IN_ENGLISH = '&hl=en-US&gl=US&ceid=US:en';

/**
 * News searches over the last two days in the five languages of the classifier, two general feeds, and one search for a
 * route.
 */
export const BUILT_IN_FEEDS: Feeds = {
  general: [
    `${SEARCH}${encodeURIComponent('(airport OR flights OR airline) (strike OR cancelled OR delays OR closed OR outage) when:2d')}${IN_ENGLISH}`,
    `${SEARCH}${encodeURIComponent('(Flughafen OR Flüge) (Streik OR gestrichen OR Verspätungen OR gesperrt) when:2d')}&hl=de&gl=DE&ceid=DE:de`,
    `${SEARCH}${encodeURIComponent('(aéroport OR vols) (grève OR annulés OR retards OR fermé) when:2d')}&hl=fr&gl=FR&ceid=FR:fr`,
    `${SEARCH}${encodeURIComponent('(aeropuerto OR vuelos) (huelga OR cancelados OR retrasos OR cerrado) when:2d')}&hl=es&gl=ES&ceid=ES:es`,
    `${SEARCH}${encodeURIComponent('(aeroporto OR voli) (sciopero OR cancellati OR ritardi OR chiuso) when:2d')}&hl=it&gl=IT&ceid=IT:it`,
    'https://feeds.bbci.co.uk/news/world/rss.xml',
    'https://www.tagesschau.de/index~rss2.xml',
  ],
  perRoute: [
    `${SEARCH}("{origin_city}" OR "{dest_city}") (airport OR flights) (strike OR cancelled OR delays OR closed) when:7d${IN_ENGLISH}`,
  ],
};

/**
 * Parses a text with one address per line, or several addresses separated by blanks; `#` starts a comment. Throws if an
 * address is not http(s).
 */
export function readFeeds(text: string): Feeds {
  const addresses = text
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, ''))
    .flatMap((line) => line.split(/\s+/))
    .filter(Boolean);
  for (const address of addresses) {
    const scheme = URL.parse(address)?.protocol ?? '';
    if (!['http:', 'https:'].includes(scheme)) {
      throw new Error(`NEWS_FEEDS: ${stripQuery(address)} is not http(s)`);
    }
  }
  const isPerRoute = (address: string) => /\{(origin|dest)(_city)?\}/.test(address);
  return {
    general: addresses.filter((address) => !isPerRoute(address)),
    perRoute: addresses.filter(isPerRoute),
  };
}

/** Builds the address for a route; values are escaped. */
export function routeAddress(template: string, words: RouteWords): string {
  const url = template.replaceAll(/\{(origin|dest|origin_city|dest_city)\}/g, (_, name: string) =>
    encodeURIComponent(words[name as keyof RouteWords]),
  );
  return new URL(url).href;
}
