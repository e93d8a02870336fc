import type { Logger } from 'pino';
import type { Assess, AssessNowDeps } from './scoring/assess.ts';
import type { Keystore } from '../warehouse/keyring/keystore.ts';
import type { StoreModels } from './scoring/store-models.ts';
import type { EventSources, FindNews, FlightNews } from './live/news-types.ts';
import type { Answered } from './metrics/api-metrics.ts';
import type { StoreWatch } from './scoring/store-watch.ts';

/** What the pages need beside what the API has. */
export type ExplorerDeps = {
  /** Counts a question of a visitor; 0 when it is answered, else the seconds until one is. */
  admit: (visitor: string) => Promise<number>;
  /** Whether an address is that of a proxy whose forwarding headers are believed. */
  trusts: (address: string, hop: number) => boolean;
};

/** Everything the API is made of; `serve.ts` joins the real parts, tests their own. */
export type ApiDeps = {
  /** Asked once for each request, so that no answer mixes two versions of the store. */
  stores: Pick<StoreWatch, 'current'>;
  keys: Keystore;
  /** The one way to a score. */
  assess: Assess;
  /** What is known right now of weather and events. */
  liveInputs: AssessNowDeps['liveInputs'];
  /** The model of a store version; a store without one answers from statistics alone. */
  models: Pick<StoreModels, 'of'>;
  news: FindNews;
  /** The news of a flight as far as they are known; asks nobody. */
  flightNews: FlightNews;
  eventSources: EventSources;
  /** When the general news feeds were fetched last (ISO); undefined: never. */
  newsAt: () => string | undefined;
  /** All that is known of news and of the status of airports; another object whenever any of it changes. */
  newsKnown: () => object;
  /** When the forecasts were saved last (ISO); undefined: there are none. */
  forecastsAt: () => string | undefined;
  /** The pages for people; absent: switched off. */
  explorer?: ExplorerDeps;
  /** Whether `/api/explain` answers; 501 otherwise. */
  explains: boolean;
  /** Told of every answer, where metrics are kept. */
  answered?: Answered;
  /** Requests in a second that all have a line in the log; of more, some have. */
  requestLinesPerS: number;
  now: () => Date;
  log: Logger;
};
