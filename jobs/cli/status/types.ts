import type { Run } from '../../../warehouse/lake/ledger.ts';
import type { CheckResult } from '../../../warehouse/build/reports.ts';
import type { HistoryState } from '../../../warehouse/store/history-state.ts';
import type { OpsSchedule, OpsWorker } from '../../../api/schemas/operations.ts';
import type { WatchCounts } from '../../../warehouse/live/ops-summary.ts';
import type { InboxFile } from '../../../warehouse/live/inbox.ts';
import type { Incident } from '../../../warehouse/live/incident-records.ts';
import type { ModelOrigin } from '../../../pipelines/model/model-folder.ts';
import type { ApiReport } from '../../../warehouse/live/api-reports.ts';
import type { MachineReport } from '../../../warehouse/live/health-reports.ts';
import type { FreshnessRule, Newest } from '../../watch/data-problems.ts';
import type { StartReport } from '../../../warehouse/live/starts.ts';
import type { ModelFailure } from '../../../warehouse/live/model-failures.ts';
import type { LevelStatus } from './levels.ts';
import type { ProviderStatus } from './providers.ts';
import type { MonthStatus } from './months.ts';

export type QueueStatus = {
  queue: string;
  workers: number;
  waiting: number;
  active: number;
  failed: number;
  /** Waiting time of the oldest job that could start. */
  oldestWaitS?: number;
  /** Running jobs with their progress. */
  running: { job: string; since: string; progress?: string; host?: string }[];
  /** Failed jobs that will be retried. They wait up to an hour for their next attempt. */
  retrying: { job: string; attempts: number; why: string }[];
  /** Jobs that wait for disk space. `why` says how much space is missing. Absent if no job waits for disk space. */
  shortOfDisk?: { job: string; why: string }[];
};

export type ScheduleStatus = OpsSchedule & {
  /** Whether Redis lacks the schedule although the service should run it. */
  isMissing?: boolean;
  /** Whether the job of the schedule has not succeeded in time. */
  isLate?: boolean;
};

export type RedisStatus =
  | { state: 'away'; error: string }
  | {
      state: 'up';
      /** Stored forecasts: number of airports, and when the newest and the oldest were fetched (ISO). */
      forecasts?: { airports: number; newest: string; oldest: string };
      /** Stored news: number of ongoing stories, and when all feeds were last fetched (ISO). */
      news?: { stories: number; fetchedAt: string };
      /** Stored airport status of the FAA: number of measures in force, and when it was last fetched (ISO). */
      airportStatus?: { measures: number; fetchedAt: string };
      /** Number of callers' watches, and how many of them have undelivered messages; absent if there are none. */
      watches?: WatchCounts;
      /** The last files of the inbox, newest first; empty if there were none. */
      inbox?: InboxFile[];
      /** Version that the API serves. */
      storeVersion?: string;
      queues: QueueStatus[];
      /** Connected workers, each process once. */
      workers?: OpsWorker[];
      schedules: ScheduleStatus[];
      /** Open incidents, as sent to `NOTIFY_URL`; the oldest first. */
      incidents?: Incident[];
      /** Problems that an operator acknowledged. */
      acknowledged?: { key: string; fingerprint: string }[];
      /** Why Redis refuses writes; absent if it accepts them. */
      writeRefusal?: string;
      /** Number of keys that are in this machine's archive but not in Redis; absent without a readable archive. */
      lostKeys?: number;
      /** Number of new keys that are not in the archive yet. Workers archive them soon. */
      unarchivedKeys?: number;
      /** The newest report of each machine. `apis` contains the reports of all APIs. */
      machines?: MachineReport[];
      apis?: ApiReport[];
      /** Time (ISO) since which no API of the service reports. Absent if an API reports, or if there is no service. */
      noApiSince?: string;
      /** Report of the first start of the service, while it is in progress; absent at other times. */
      start?: StartReport;
      /** Failures of the imported model, one for each API process in which it fails. */
      modelFailures?: ModelFailure[];
    };

/** A run without its report. */
export type RunStatus = Omit<Run, 'detail'>;

export type StoreStatus = {
  /** Current version on disk. */
  version?: string;
  builtAt?: string;
  months: string[];
  bytes?: number;
  /** Version of the model in the store. */
  modelVersion?: string;
  /** Why the store cannot be used. */
  problem?: string;
  /** Versions that can be rolled back to, newest first. */
  kept: string[];
};

export type ModelStatus = {
  /** Model of the current store on disk. */
  version: string | null;
  /** Model of the next publish: the model of the current store, unless another model was released since. */
  next?: { version: string; origin: ModelOrigin; months: string[] };
  /** Version that every publish uses, even when another model is released. */
  pinned?: string;
  /** The released version, if another version is pinned. */
  behindPin?: string;
  /** Why a released model is refused. */
  refused?: string;
  /** The last training. `why` is the error, or the reason why the model was released or refused. */
  training?: { at: string; outcome: Run['outcome']; why: string };
};

/** A check of the last build. `failuresBefore` is absent if the previous build did not have this check. */
export type CheckStatus = CheckResult & { failuresBefore?: number };

/** What `make status` shows. With `JSON=1`, the command prints this object and the verdict. Times are ISO in UTC. */
export type Status = {
  at: string;
  /** Data folder and host. */
  machine: string;
  /**
   * Place of the shared lake, and the problem if the shared lake is unavailable. Absent if the lake is a local folder.
   */
  lake?: { place: string; problem?: string } | undefined;
  months: MonthStatus[];
  /** The delay-cause table. */
  levels: LevelStatus;
  /** Other providers in the lake; absent if there are none. */
  providers?: ProviderStatus[];
  /** Newest first. */
  runs: RunStatus[];
  build?: { at: string; outcome: Run['outcome']; checks: CheckStatus[] };
  store: StoreStatus;
  model: ModelStatus;
  freshness: {
    /** Newest month of flights, and of the delay-cause table. */
    lastMonth?: string;
    lastLevelMonth?: string;
    /** Whether flights and levels are recent enough, by the rule of `/api/health`. */
    state: HistoryState;
    /** When each step last succeeded. */
    load?: string;
    build?: string;
    publish?: string;
    /** Time when the readers' copy of the warehouse was made. */
    copy?: string;
  };
  /** Disk of the data folder; absent if its size is unknown. */
  disk?: { freeBytes: number; sizeBytes: number; minFreeBytes: number };
  redis: RedisStatus;
  /** Dates of the newest data, and limits for their age. */
  newest: Newest;
  freshnessRule: FreshnessRule;
};
