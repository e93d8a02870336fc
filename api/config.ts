import type { Retention } from '../warehouse/ground/retention.ts';

/** Address at which operators read metrics. */
export type MetricsAddress = Readonly<{ host: string; port: number }>;

/** `hasWrites`: whether the queue page under `/ops` may change queues. */
export type OpsConfig = Readonly<{ hasWrites: boolean }>;

/**
 * `trustedProxies`: proxies whose forwarding headers are trusted. Each is an address, a network, or the name of a
 * network (`loopback`).
 */
export type ExplorerSettings = Readonly<{ trustedProxies: readonly string[] }>;

/** Settings of the API. */
export type Config = Readonly<{
  /** Port on which the API listens; 0 means any free port. */
  port: number;
  host: string;
  /**
   * Id of the process to which systemd passes an open socket as file descriptor 3. Absent if the API opens its port
   * itself.
   */
  socketOwnerPid?: number;
  /** Number of processes that answer requests. All processes share one port. */
  workers: number;
  /** `redis://…`, `rediss://…`, `sentinel://…` or the absolute path of a unix socket. */
  redisUrl: string;
  /** Number of Redis replicas that must store a new API key before the API confirms the key. */
  replicas?: number;
  /** Absolute path of the data folder. */
  dataDir: string;
  /** Decides which older stores stay on disk. */
  retention?: Retention;
  /** Maximum size of the live-data archive, in bytes. */
  keepLiveBytes?: number;
  /** If the disk has fewer free bytes than this, the archive of live data is made smaller. */
  minFreeBytes?: number;
  logLevel: string;
  /** Maximum number of requests per second that each process logs in full. Above this number, it logs only a sample. */
  requestLinesPerS: number;
  /** Time limit for a prediction of an imported model, in ms. Default: 200. */
  modelDeadlineMs?: number;
  /** Whether the endpoint `/api/explain` is switched on. */
  isExplainEnabled: boolean;
  /** Settings of the operators' pages; absent if these pages are switched off. */
  ops?: OpsConfig;
  /** Settings of the web pages for travellers; absent if these pages are switched off. */
  explorer?: ExplorerSettings;
  /** Address at which operators read metrics. If absent, no metrics are recorded. */
  metrics?: MetricsAddress;
}>;
