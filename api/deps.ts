import type { Logger } from 'pino';
import type { Assessment, FlightQuery, LiveInputs } from '../models/types.ts';
import type { ScoreStore } from '../warehouse/store/types.ts';
import type { Keystore } from './keys/keystore.ts';
import type { FindNews, FlightNews } from './news.ts';
import type { StoreFeed } from './store-feed.ts';

/** Everything the API is made of; `serve.ts` joins the real parts, tests their own. */
export type ApiDeps = {
  /** Asked once for each request, so that no answer mixes two versions of the store. */
  feed: Pick<StoreFeed, 'current'>;
  keys: Keystore;
  assess: (query: FlightQuery, store: ScoreStore, live: LiveInputs) => Assessment;
  /** What is known right now of weather, events and the model's opinion; read from memory. */
  liveInputs: (query: FlightQuery, store: ScoreStore) => LiveInputs;
  news: FindNews;
  /** The news of a flight as far as they are known; asks nobody. */
  flightNews: FlightNews;
  /** Whether a model is loaded; without one the answers rest on statistics alone. */
  hasModel: () => boolean;
  now: () => Date;
  log: Logger;
};
