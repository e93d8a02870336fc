/** Address at which operators read metrics. */
export type MetricsAddress = Readonly<{ host: string; port: number }>;

/** `hasWrites`: the queue page under `/ops` may change queues. */
export type OpsConfig = Readonly<{ hasWrites: boolean }>;

/** Proxies whose forwarding headers are trusted: addresses, networks or names of networks (`loopback`). */
export type ExplorerSettings = Readonly<{ trustedProxies: readonly string[] }>;

/** Settings of the API. */
export type Config = Readonly<{
  /** 0: any free port. */
  port: number;
  host: string;
  /** Id of the process for which systemd opened the port, as file descriptor 3. If absent, the API opens the port. */
  socketOwnerPid?: number;
  /** Number of processes that answer; they share one port. */
  workers: number;
  /** `redis://…`, `rediss://…`, `sentinel://…` or the absolute path of a unix socket. */
  redisUrl: string;
  /** Number of Redis replicas that must store a new key before it is acknowledged. */
  replicas?: number;
  /** Absolute path of the data folder. */
  dataDir: string;
  logLevel: string;
  /** Each process logs all requests up to this number per second. Above this number it logs only a sample. */
  requestLinesPerS: number;
  /** Whether `/api/explain` answers. */
  isExplainEnabled: boolean;
  /** The operators' pages; absent: switched off. */
  ops?: OpsConfig;
  /** The web pages for travellers; absent: switched off. */
  explorer?: ExplorerSettings;
  /** Address of the metrics; absent: no metrics are recorded. */
  metrics?: MetricsAddress;
}>;
