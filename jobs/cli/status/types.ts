import type { Run } from '../../../warehouse/lake/ledger.ts';
import type { CheckResult } from '../../../warehouse/build/reports.ts';
import type { HistoryState } from '../../../warehouse/store/history-state.ts';
import type { WorkerSeen } from '../../../api/schemas/operations.ts';
import type { Incident } from '../../../warehouse/live/incident-records.ts';
import type { LevelStatus } from './levels.ts';
import type { MonthStatus } from './months.ts';

export type QueueStatus = {
  queue: string;
  workers: number;
  waiting: number;
  active: number;
  failed: number;
  /** Jobs under way, with how far they are. */
  running: { job: string; since: string; progress?: string; host?: string }[];
  /** Jobs that failed and wait for their next attempt, which may be an hour away. */
  retrying: { job: string; attempts: number; why: string }[];
};

export type ScheduleStatus = { id: string; what: string; pattern: string; next?: string };

export type RedisStatus =
  | { state: 'away'; error: string }
  | {
      state: 'up';
      /** Forecasts kept: of how many airports, and when the newest and the oldest of them were fetched (ISO). */
      forecasts?: { airports: number; newest: string; oldest: string };
      /** News kept: how many stories go on, and when all feeds were last fetched (ISO). */
      news?: { stories: number; fetchedAt: string };
      /** The FAA's airport status kept: measures in force when it was last fetched (ISO). */
      airportStatus?: { measures: number; fetchedAt: string };
      /** The version the API is told to serve. */
      storeVersion?: string;
      queues: QueueStatus[];
      /** The workers that are connected, each process once. */
      workers?: WorkerSeen[];
      schedules: ScheduleStatus[];
      /** What is not well, as it is told to `NOTIFY_URL`; the oldest first. */
      incidents?: Incident[];
    };

/** A run without its report. */
export type RunStatus = Omit<Run, 'detail'>;

export type StoreStatus = {
  /** The version that is current on disk. */
  version?: string;
  builtAt?: string;
  months: string[];
  bytes?: number;
  /** Version of the model in it. */
  modelVersion?: string;
  /** Why it cannot be used. */
  problem?: string;
  /** Versions that can be gone back to, newest first. */
  kept: string[];
};

export type ModelStatus = {
  /** That of the store that is current on disk. */
  version: string | null;
  /** What the next publish takes: the same one, until another is released. */
  next?: { version: string; origin: 'bundled' | 'released'; months: string[] };
  /** The version every publish takes, whatever is released. */
  pinned?: string;
  /** What publishes would take if it were not pinned, where that is another. */
  behindPin?: string;
  /** Why a released model is not taken. */
  refused?: string;
  /** The last training; `why` is its verdict, or the error that ended it. */
  training?: { at: string; outcome: Run['outcome']; why: string };
};

/** A check of the last build; absent before: the build before had no such check. */
export type CheckStatus = CheckResult & { failuresBefore?: number };

/** What `make status` shows; its JSON is this. Times are ISO in UTC. */
export type Status = {
  at: string;
  /** Where the lake is that many machines share, and why it cannot be asked; absent: it is the folder. */
  lake?: { place: string; problem?: string } | undefined;
  months: MonthStatus[];
  /** The delay-cause table. */
  levels: LevelStatus;
  /** Newest first. */
  runs: RunStatus[];
  build?: { at: string; outcome: Run['outcome']; checks: CheckStatus[] };
  store: StoreStatus;
  model: ModelStatus;
  freshness: {
    /** Newest month of flights, and of the delay-cause table. */
    lastMonth?: string;
    lastLevelMonth?: string;
    /** Whether they are recent enough; as `/api/health` has it of what is published. */
    state: HistoryState;
    /** The last time each of them was done. */
    load?: string;
    build?: string;
    publish?: string;
    /** When the copy of the warehouse for readers was made. */
    copy?: string;
  };
  /** The disk of the data folder; absent where it cannot be told. */
  disk?: { freeBytes: number; sizeBytes: number; minFreeBytes: number };
  redis: RedisStatus;
  /** What is stale, in words. */
  stale: string[];
};
