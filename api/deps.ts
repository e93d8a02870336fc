import type { Logger } from 'pino';
import type { FlightQuery, LiveInputs } from '../models/types.ts';
import type { ScoreStore } from '../warehouse/store/types.ts';
import type { Assess } from './scoring/assess.ts';
import type { Keystore } from './keys/keystore.ts';
import type { ModelShelf } from './scoring/store-models.ts';
import type { EventSources, FindNews, FlightNews } from './live/news.ts';
import type { StoreFeed } from './scoring/store-feed.ts';

/** Everything the API is made of; `serve.ts` joins the real parts, tests their own. */
export type ApiDeps = {
  /** Asked once for each request, so that no answer mixes two versions of the store. */
  feed: Pick<StoreFeed, 'current'>;
  keys: Keystore;
  /** The one way to a score; several flights go through `Promise.all`, and share one run of the model. */
  assess: Assess;
  /** What is known right now of weather and events; read from memory. */
  liveInputs: (query: FlightQuery, store: ScoreStore) => LiveInputs;
  /** The model of a store version; a store without one answers from statistics alone. */
  models: Pick<ModelShelf, 'of'>;
  news: FindNews;
  /** The news of a flight as far as they are known; asks nobody. */
  flightNews: FlightNews;
  eventSources: EventSources;
  /** Whether `/api/explain` answers; 501 otherwise. */
  explains: boolean;
  now: () => Date;
  log: Logger;
};
