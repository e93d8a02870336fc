/** Where operators read metrics. */
export type MetricsPlace = Readonly<{ host: string; port: number }>;

/** Whether the page of all queues under `/ops` may change them. */
export type OpsConfig = Readonly<{ hasWrites: boolean }>;

/** Addresses, networks or their names (`loopback`) of proxies whose forwarding headers are believed. */
export type ExplorerSettings = Readonly<{ trustedProxies: readonly string[] }>;

/** The settings the API takes, of those all of Headwind has. */
export type Config = Readonly<{
  /** 0: any free one. */
  port: number;
  host: string;
  /** The process systemd has opened the port for, as descriptor 3; absent: it is opened here. */
  socketFor?: number;
  /** Processes that answer, all on the one port. */
  workers: number;
  /** `redis://…`, `rediss://…`, `sentinel://…` or the absolute path of a unix socket. */
  redisUrl: string;
  /** Replicas that must have a key before it is acknowledged. */
  replicas?: number;
  /** Absolute. */
  dataDir: string;
  logLevel: string;
  /** Requests in a second and process that all have a line in the log; of more, some have. */
  requestLinesPerS: number;
  /** Whether `/api/explain` answers. */
  explains: boolean;
  /** The operators' pages; absent: there are none. */
  ops?: OpsConfig;
  /** The pages for people; absent: switched off. */
  explorer?: ExplorerSettings;
  /** Where operators read its metrics; absent: nowhere, and none are kept. */
  metrics?: MetricsPlace;
}>;
