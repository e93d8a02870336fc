import type { Logger } from 'pino';
import type { Assess, AssessNowDeps } from './scoring/assess.ts';
import type { ConditionName } from '../warehouse/live/conditions.ts';
import type { ForecastRecord } from '../warehouse/live/forecast-record.ts';
import type { Keystore } from '../warehouse/keyring/keystore.ts';
import type { StoreModels } from './scoring/store-models.ts';
import type { EventSources, FindAirportEvents, FindNews, FlightNews } from './live/news-types.ts';
import type { RecordAnswer } from './metrics/api-metrics.ts';
import type { Signatures } from './signatures.ts';
import type { LiveStates } from './live/live-states.ts';
import type { StoreWatch } from './scoring/store-watch.ts';
import type { WatchRegistry } from './live/watch-registry.ts';

/** Functions that the web pages need in addition to the API. */
export type ExplorerDeps = {
  /**
   * Counts a visitor's request. Returns 0 when the request may be answered, otherwise the number of seconds to wait.
   */
  admit: (visitor: string, content: 'flight' | 'other') => Promise<number>;
  /** Whether the address belongs to a proxy whose forwarding headers are trusted. */
  isTrustedProxy: (address: string, hop: number) => boolean;
};

/** Everything that the API needs. `serve.ts` provides the real parts; tests provide fakes. */
export type ApiDeps = {
  /** Score stores. A request reads the current store only once, so that no answer mixes two versions. */
  stores: Pick<StoreWatch, 'current'>;
  keys: Keystore;
  /** Computes every score. */
  assess: Assess;
  /** Reads current weather forecasts and events. */
  liveInputs: AssessNowDeps['liveInputs'];
  /** The model of a store version. Without a model, scores use statistics only. */
  models: Pick<StoreModels, 'modelFor' | 'versionFor' | 'importedFor' | 'complete'>;
  news: FindNews;
  /** Returns the news of a flight from memory. */
  flightNews: FlightNews;
  eventSources: EventSources;
  /** Returns the current events at an airport, from memory. */
  airportEvents: FindAirportEvents;
  /** Returns when the general news feeds were last fetched (ISO); undefined before the first fetch. */
  newsAt: () => string | undefined;
  /** Returns the current news and airport status, as a new object after every change. */
  newsSnapshot: () => object;
  /** Returns when the forecasts were last saved (ISO); undefined without forecasts. */
  forecastsAt: () => string | undefined;
  /** Returns the record of forecasts; undefined if none is published. */
  forecastRecord: () => ForecastRecord | undefined;
  /** Watches of callers. */
  watches: WatchRegistry;
  /** Signs answers and publishes the keys. */
  signatures: Signatures;
  /** The live data behind signed answers; absent if they are not archived. */
  liveStates?: LiveStates;
  /** Returns when the data behind answers are next refreshed (ISO); undefined if unknown. */
  nextRefreshAt?: () => string | undefined;
  /** Returns the conditions that workers found; absent without workers. */
  conditions?: () => readonly ConditionName[];
  /** Functions of the web pages for travellers; absent if these pages are switched off. */
  explorer?: ExplorerDeps;
  /** Whether `/api/explain` is switched on; otherwise the endpoint answers 501. */
  isExplainEnabled: boolean;
  /** Records every answer in the metrics; absent if no metrics are recorded. */
  recordAnswer?: RecordAnswer;
  /** Each process logs all requests up to this number per second. Above this number it logs only a sample. */
  requestLinesPerS: number;
  now: () => Date;
  log: Logger;
};

/** The parts behind answers with scores, which `make answer-again` provides from the archive. */
export type ScoringDeps = Pick<
  ApiDeps,
  | 'stores'
  | 'keys'
  | 'assess'
  | 'liveInputs'
  | 'models'
  | 'flightNews'
  | 'eventSources'
  | 'signatures'
  | 'liveStates'
  | 'nextRefreshAt'
  | 'now'
>;
