import type { Logger } from 'pino';
import type { Assess, AssessNowDeps } from './scoring/assess.ts';
import type { ConditionName } from '../warehouse/live/conditions.ts';
import type { ForecastRecord } from '../warehouse/live/forecast-record.ts';
import type { Snapshot } from '../warehouse/snapshots/snapshots.ts';
import type { Keystore } from '../warehouse/keyring/keystore.ts';
import type { StoreModels } from './scoring/store-models.ts';
import type { EventSources, FindAirportEvents, FindNews, FlightNews } from './live/news-types.ts';
import type { RecordAnswer } from './metrics/api-metrics.ts';
import type { Signatures } from './signatures.ts';
import type { LiveStates } from './live/live-states.ts';
import type { StoreWatch } from './scoring/store-watch.ts';
import type { WatchRegistry } from './live/watch-registry.ts';

/** Additional functions that the web pages need. */
export type ExplorerDeps = {
  /**
   * Counts a visitor's request and the flights in the answer. Returns 0 if the request is within the limits, otherwise
   * the number of seconds to wait.
   */
  admit: (visitor: string, flights: number) => Promise<number>;
  /**
   * Subtracts flights from the visitor's count for the day. These flights were counted, but the answer did not contain
   * them.
   */
  refund: (visitor: string, flights: number) => Promise<void>;
  /**
   * Remembers for the rest of the day that the visitor saw these flights. Returns how many of them are new to the
   * visitor.
   */
  countNew: (visitor: string, flights: readonly string[]) => Promise<number>;
  /** Returns whether the address belongs to a proxy whose forwarding headers are trusted. */
  isTrustedProxy: (address: string, hop: number) => boolean;
};

/** All dependencies of the API. `serve.ts` provides the real dependencies, and tests provide fakes. */
export type ApiDeps = {
  /** Score stores. A request reads the current store only once. One answer therefore never mixes two versions. */
  stores: Pick<StoreWatch, 'current'>;
  keys: Keystore;
  /** Scores a flight. */
  assess: Assess;
  /** Reads current weather forecasts and events. */
  liveInputs: AssessNowDeps['liveInputs'];
  /** The models of the stores. Without a model, scores use statistics only. */
  models: Pick<StoreModels, 'modelFor' | 'versionFor' | 'importedFor' | 'complete'>;
  news: FindNews;
  /** Finds the news of a flight in memory. */
  flightNews: FlightNews;
  eventSources: EventSources;
  /** Finds the current events at an airport, in memory. */
  airportEvents: FindAirportEvents;
  /** Returns the time (ISO) of the last fetch of the general news feeds; undefined before the first fetch. */
  newsAt: () => string | undefined;
  /** Returns the current news and airport status. The object is new after every change. */
  newsSnapshot: () => object;
  /** Returns the time (ISO) at which the forecasts were last saved; undefined without forecasts. */
  forecastsAt: () => string | undefined;
  /** Returns the record of forecasts; undefined if no such record is published. */
  forecastRecord: () => ForecastRecord | undefined;
  /** Lists the snapshots on the disk of this machine, newest first. */
  snapshots: () => Promise<Snapshot[]>;
  /** Watches of callers. */
  watches: WatchRegistry;
  /** Signs answers, and publishes the keys that verify them. */
  signatures: Signatures;
  /** Archives the live data behind signed answers; absent if live data are not archived. */
  liveStates?: LiveStates;
  /** Returns the time at which the data behind answers will next be refreshed; undefined if unknown. */
  nextRefreshAt?: () => Date | undefined;
  /** Returns the problems that workers found; absent if there are no workers. */
  conditions?: () => readonly ConditionName[];
  /** Functions of the web pages for travellers; absent if these pages are switched off. */
  explorer?: ExplorerDeps;
  /** Whether `/api/explain` is switched on. If not, the endpoint answers 501. */
  isExplainEnabled: boolean;
  /** Records every answer in the metrics; absent if no metrics are recorded. */
  recordAnswer?: RecordAnswer;
  /** Maximum number of requests per second that each process logs in full. Above this number, it logs only a sample. */
  requestLinesPerS: number;
  now: () => Date;
  log: Logger;
};

/**
 * The dependencies that are necessary to compute scores. `make answer-again` provides these dependencies from the
 * archive.
 */
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
