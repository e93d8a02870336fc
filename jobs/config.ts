import { resolve } from 'node:path';
import { z } from 'zod';
import { CommandError } from './errors.ts';
import { BTS_SETTINGS, btsOf, type BtsConfig } from './settings/bts.ts';
import { DISK_SETTINGS, KEEP_SETTINGS, keepOf, type KeepConfig } from './settings/keep.ts';
import { FOLDER_SETTINGS, foldersOf, type FolderConfig } from './settings/folders.ts';
import { LAKE_SETTINGS, hasLakeKey, lakeOf, type LakeConfig } from './settings/lake.ts';
import { LLM_SETTINGS, llmOf, type LlmConfig } from './settings/llm.ts';
import { NOTICE_SETTINGS, noticeOf, type NoticeConfig } from './settings/notice.ts';
import { PROVIDER_SETTINGS, providersOf, type ProviderConfig } from './settings/providers.ts';
import { REDIS_SETTINGS, redisOf, type RedisConfig } from './settings/redis.ts';
import { WATCH_SETTINGS, watchesOf, type WatchConfig } from './settings/watches.ts';
import { SCHEDULE_SETTINGS, timesOf, type ScheduleTimes } from './queue/schedule-times.ts';
import {
  WORKERS_MAX,
  flag,
  host,
  isBaseUrl,
  isPort,
  isWorkerCount,
  metricsPort,
  proxyList,
} from './settings/kinds.ts';

/** Environment variables in the form of `process.env`. */
export type Env = Record<string, string | undefined>;

export type JobsConfig = NoticeConfig &
  BtsConfig &
  FolderConfig &
  LlmConfig &
  KeepConfig &
  LakeConfig &
  RedisConfig &
  WatchConfig &
  Pick<ProviderConfig, 'providerUrls'> &
  Readonly<{
    /** Absolute path. */
    dataDir: string;
    /** Port of the API; 0: any free port. */
    port: number;
    host: string;
    /** Id of the process for which systemd opened the API's port as file descriptor 3. */
    socketOwnerPid: number | undefined;
    /** Number of API processes; they share one port. */
    workers: number;
    /** Addresses of `/metrics` for the API and for the worker. If an address is absent, there are no metrics. */
    metrics: Address | undefined;
    workerMetrics: Address | undefined;
    /** Whether `/api/explain` is switched on. */
    isExplainEnabled: boolean;
    /** Whether `/ops/queues` allows changes to queues and jobs. */
    opsQueueWrites: boolean;
    /** Proxies whose forwarding headers the explorer pages trust. Absent if the explorer is switched off. */
    explorer: Readonly<{ trustedProxies: readonly string[] }> | undefined;
    /** Time in which an imported model must answer, in ms; after this time, our own model answers. */
    modelDeadlineMs: number;
    /** Requests per second that each API process logs in full. Each process logs a sample of further requests. */
    requestLinesPerS: number;
    logLevel: (typeof LOG_LEVELS)[number];
    /** Bytes on the disk of DATA_DIR that jobs must leave free. The value is at least the space that Redis needs. */
    minFreeBytes: number;
    /** Address of Open-Meteo's forecast, or of a service with the same interface. */
    weatherForecastUrl: string;
    /** Address of Open-Meteo's archive, or of a service with the same interface. */
    weatherArchiveUrl: string;
    weatherApiKey: string | undefined;
    /**
     * Addresses of news feeds separated by blanks, or the path of a file with addresses. If absent, the built-in feeds
     * are used.
     */
    newsFeeds: string | undefined;
    /** Address of the FAA's airport status. If absent, the status is not fetched. */
    nasStatusUrl: string | undefined;
    /** Times of the schedules. */
    schedule: ScheduleTimes;
    /** Whether all outbound calls are forbidden. */
    offline: boolean;
  }>;

type Address = Readonly<{ host: string; port: number }>;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const OPEN_METEO_FORECAST = 'https://api.open-meteo.com/v1/forecast';
const OPEN_METEO_ARCHIVE = 'https://archive-api.open-meteo.com/v1/archive';

const settings = z
  .object({
    DATA_DIR: z
      .string()
      .default('./data')
      .refine((folder) => !/^[a-z][a-z\d+.-]*:\/\//i.test(folder), {
        error: ({ input }) =>
          `DATA_DIR "${input}" is an address, not a folder of this machine; set LAKE_URL for a lake elsewhere`,
      }),
    ...KEEP_SETTINGS,
    ...DISK_SETTINGS,
    ...FOLDER_SETTINGS,
    ...REDIS_SETTINGS,
    PORT: z
      .string()
      .default('8080')
      .refine(isPort, { error: ({ input }) => `PORT "${input}" is not a port (0 to 65535)` })
      .transform(Number),
    HOST: host('HOST'),
    API_WORKERS: z
      .string()
      .default('1')
      .refine(isWorkerCount, {
        error: ({ input }) =>
          `API_WORKERS "${input}" is not a number of processes (1 to ${WORKERS_MAX})`,
      })
      .transform(Number),
    METRICS_HOST: host('METRICS_HOST'),
    METRICS_PORT: metricsPort('METRICS_PORT'),
    WORKER_METRICS_PORT: metricsPort('WORKER_METRICS_PORT'),
    EXPLAIN_ENABLED: flag('EXPLAIN_ENABLED'),
    OPS_QUEUE_WRITES: flag('OPS_QUEUE_WRITES'),
    EXPLORER: flag('EXPLORER', '1'),
    TRUST_PROXY: proxyList('TRUST_PROXY'),
    MODEL_DEADLINE_MS: z
      .string()
      .default('200')
      .refine((text) => /^[1-9]\d{0,3}$/.test(text), {
        error: ({ input }) =>
          `MODEL_DEADLINE_MS "${input}" is not a number of milliseconds (1 to 9999)`,
      })
      .transform(Number),
    LOG_REQUESTS_PER_S: z
      .string()
      .default('1000')
      .refine((text) => /^\d{1,6}$/.test(text), {
        error: ({ input }) =>
          `LOG_REQUESTS_PER_S "${input}" is not a number of requests (0 to 999999)`,
      })
      .transform(Number),
    LOG_LEVEL: z
      .enum(LOG_LEVELS, {
        error: ({ input }) => `LOG_LEVEL "${input}" is not one of ${LOG_LEVELS.join(', ')}`,
      })
      .default('info'),
    ...BTS_SETTINGS,
    WEATHER_FORECAST_URL: z
      .string()
      .default(OPEN_METEO_FORECAST)
      .refine(isBaseUrl, 'WEATHER_FORECAST_URL is not a plain http:// or https:// address'),
    WEATHER_ARCHIVE_URL: z
      .string()
      .default(OPEN_METEO_ARCHIVE)
      .refine(isBaseUrl, 'WEATHER_ARCHIVE_URL is not a plain http:// or https:// address'),
    // Messages never contain the value: it is a secret.
    WEATHER_API_KEY: z
      .string()
      .refine(
        (key) => /^[\x21-\x7e]+$/.test(key),
        'WEATHER_API_KEY contains blanks or characters other than printable ASCII',
      )
      .optional(),
    NEWS_FEEDS: z.string().optional(),
    ...LLM_SETTINGS,
    NAS_STATUS_URL: z
      .string()
      .refine(isBaseUrl, 'NAS_STATUS_URL is not a plain http:// or https:// address')
      .optional(),
    OFFLINE: flag('OFFLINE'),
    ...NOTICE_SETTINGS,
    ...WATCH_SETTINGS,
    ...LAKE_SETTINGS,
    ...SCHEDULE_SETTINGS,
  })
  .refine(
    ({ NOTIFY_URL, NOTIFY_SECRET }) => NOTIFY_URL === undefined || NOTIFY_SECRET !== undefined,
    'NOTIFY_SECRET is missing; notices to NOTIFY_URL are signed with it: create one with openssl rand -base64 32',
  )
  .refine(
    hasLakeKey,
    'AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY is missing; a LAKE_URL that begins with s3:// needs both',
  )
  .refine(
    ({ LLM_BASE_URL, LLM_MODEL }) => LLM_BASE_URL === undefined || LLM_MODEL !== undefined,
    'LLM_MODEL is missing; LLM_BASE_URL needs the name of a model',
  );

/** The names of all settings. docs/operations.md describes each of them. */
export const ENV_NAMES: readonly string[] = [settings, PROVIDER_SETTINGS].flatMap(({ shape }) =>
  Object.keys(shape),
);

/** Returns the frozen configuration. An empty variable counts as unset. Throws one error with all problems. */
export function readConfig(env: Env, cwd: string = process.cwd()): JobsConfig {
  const variables = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = settings.safeParse(variables);
  const providers = PROVIDER_SETTINGS.safeParse(variables);
  if (!parsed.success || !providers.success) {
    const issues = [parsed, providers].flatMap(({ error }) => error?.issues ?? []);
    const problems = issues.map((issue) => issue.message);
    throw new CommandError(`Bad settings: ${problems.join('; ')}`);
  }
  const { DATA_DIR, PORT, HOST, LOG_LEVEL, OFFLINE } = parsed.data;
  const { API_WORKERS, EXPLAIN_ENABLED, METRICS_HOST } = parsed.data;
  const { LOG_REQUESTS_PER_S, METRICS_PORT, WORKER_METRICS_PORT } = parsed.data;
  const { WEATHER_FORECAST_URL, WEATHER_ARCHIVE_URL, WEATHER_API_KEY, NEWS_FEEDS } = parsed.data;
  const { NAS_STATUS_URL } = parsed.data;
  const { providerUrls, providerTimes } = providersOf(providers.data);
  return Object.freeze({
    dataDir: resolve(cwd, DATA_DIR),
    ...foldersOf(parsed.data, cwd),
    ...keepOf(parsed.data, cwd),
    minFreeBytes: parsed.data.MIN_FREE_MB,
    ...redisOf(parsed.data),
    port: PORT,
    host: HOST,
    // Set by systemd, see sd_listen_fds(3).
    socketOwnerPid: variables['LISTEN_FDS'] === '1' ? Number(variables['LISTEN_PID']) : undefined,
    workers: API_WORKERS,
    metrics: toAddress(METRICS_HOST, METRICS_PORT),
    workerMetrics: toAddress(METRICS_HOST, WORKER_METRICS_PORT),
    isExplainEnabled: EXPLAIN_ENABLED,
    opsQueueWrites: parsed.data.OPS_QUEUE_WRITES,
    explorer: parsed.data.EXPLORER
      ? Object.freeze({ trustedProxies: parsed.data.TRUST_PROXY })
      : undefined,
    requestLinesPerS: LOG_REQUESTS_PER_S,
    modelDeadlineMs: parsed.data.MODEL_DEADLINE_MS,
    logLevel: LOG_LEVEL,
    ...btsOf(parsed.data),
    weatherForecastUrl: WEATHER_FORECAST_URL,
    weatherArchiveUrl: WEATHER_ARCHIVE_URL,
    weatherApiKey: WEATHER_API_KEY,
    newsFeeds: NEWS_FEEDS,
    ...llmOf(parsed.data),
    nasStatusUrl: NAS_STATUS_URL,
    providerUrls,
    schedule: timesOf(parsed.data, providerTimes),
    ...noticeOf(parsed.data),
    ...watchesOf(parsed.data),
    ...lakeOf(parsed.data),
    offline: OFFLINE,
  });
}

function toAddress(host: string, port: number | undefined): Address | undefined {
  return port === undefined ? undefined : Object.freeze({ host, port });
}
