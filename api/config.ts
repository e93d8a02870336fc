import type { Retention } from '../warehouse/ground/retention.ts';

/** Address at which operators read metrics. */
export type MetricsAddress = Readonly<{ host: string; port: number }>;

/** If `hasWrites` is true, the queue page under `/ops` may change queues. */
export type OpsConfig = Readonly<{ hasWrites: boolean }>;

/** Proxies whose forwarding headers are trusted: addresses, networks or names of networks (`loopback`). */
export type ExplorerSettings = Readonly<{ trustedProxies: readonly string[] }>;

/** Settings of the API. */
export type Config = Readonly<{
  /** Port on which the API listens; 0 means any free port. */
  port: number;
  host: string;
  /** Id of the process that gets the open port from systemd as file descriptor 3. If absent, the API opens the port. */
  socketOwnerPid?: number;
  /** Number of processes that answer requests. All processes share one port. */
  workers: number;
  /** `redis://…`, `rediss://…`, `sentinel://…` or the absolute path of a unix socket. */
  redisUrl: string;
  /** Number of Redis replicas that must store a new key before it is acknowledged. */
  replicas?: number;
  /** Absolute path of the data folder. */
  dataDir: string;
  /** Which former stores stay on disk. */
  retention?: Retention;
  logLevel: string;
  /** Each process logs all requests up to this number per second. Above this number it logs only a sample. */
  requestLinesPerS: number;
  /** Time in which an imported model must answer, in ms; by default 200. */
  modelDeadlineMs?: number;
  /** Whether `/api/explain` answers. */
  isExplainEnabled: boolean;
  /** Settings of the operators' pages; absent if these pages are switched off. */
  ops?: OpsConfig;
  /** Settings of the web pages for travellers; absent if these pages are switched off. */
  explorer?: ExplorerSettings;
  /** Address at which operators read metrics; if absent, no metrics are recorded. */
  metrics?: MetricsAddress;
}>;
