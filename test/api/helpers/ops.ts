import { request as sendRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { ExecutionContext } from 'ava';
import { pino } from 'pino';
import { createOpsApp } from '../../../api/ops/app.ts';
import type { OpsDeps } from '../../../api/ops/deps.ts';
import type { OpsAction, OpsQueue, OpsSchedule } from '../../../api/schemas/operations.ts';
import type { OpsSummary } from '../../../warehouse/live/ops-summary.ts';
import { listen } from '../../helpers/listen.ts';
import { fakeKeys, NOW } from './app.ts';

export const QUIET: Omit<OpsQueue, 'queue'> = {
  workers: 1,
  waiting: 0,
  running: [],
  retrying: [],
  failed: [],
  failedCount: 0,
};
export const SINCE = '2026-03-10T13:59:30.000Z';
const QUEUES: OpsQueue[] = [
  {
    ...QUIET,
    queue: 'extract',
    running: [{ id: 'extract-flights-2025-10', name: 'extract-month', since: SINCE, attempts: 0 }],
    failed: [
      {
        id: 'extract-flights-2025-09',
        name: 'extract-month',
        since: SINCE,
        attempts: 1,
        why: '2025-09 refused: <script>alert(1)</script>',
      },
    ],
    failedCount: 1,
  },
  { ...QUIET, queue: 'warehouse' },
  { ...QUIET, queue: 'live' },
];
export const SUMMARY: OpsSummary = {
  ...{ host: 'mill', acknowledgeable: 0 },
  at: SINCE,
  cells: [
    {
      source: 'flights',
      month: '2025-08',
      state: 'loaded',
      flights: 601_234,
      rows: 32_229,
      file: 'a.zip',
    },
    { source: 'flights', month: '2025-09', state: 'refused', refusedFile: 'b.zip' },
    { source: 'caa', month: '2019-12', periodMonths: 12, state: 'loaded', rows: 14_000 },
  ],
  runs: [
    {
      id: 'r1',
      step: 'extract',
      outcome: 'failed',
      startedAt: SINCE,
      finishedAt: '2026-03-10T13:59:34.100Z',
      inputs: ['b.zip'],
      error: 'too many bad rows',
    },
  ],
  builds: [
    {
      at: SINCE,
      outcome: 'done',
      checks: [{ check: 'month_volume', severity: 'warn', failures: 3 }],
    },
  ],
  verdict: {
    code: 1,
    why: ['check month_volume fails'],
    problems: [
      {
        ...{ key: 'check month_volume', kind: 'checks.failed', state: 'failing' },
        text: 'check month_volume fails',
      },
    ],
  },
  store: { kept: [], version: '20260310T023000Z-0123456789ab' },
  model: { version: null },
  freshness: { lastMonth: '2025-08' },
};

/** A nightly schedule that runs as in the settings. */
export function aSchedule(changes: Partial<OpsSchedule> = {}): OpsSchedule {
  return {
    ...{ id: 'nightly', what: 'build', pattern: '30 2 * * *', tz: 'UTC' },
    ...{ isPaused: false, isFixed: false, setting: '30 2 * * *' },
    ...changes,
  };
}

type Answer = { status: number; headers: Record<string, unknown>; body: string };
type Sent = { method?: string; headers?: Record<string, string>; form?: Record<string, string> };

/** The one-time token that `make run` printed. */
const ENTRY = 'first';

/**
 * Serves the operators' pages and logs in with the one-time address of `make run`. Returns the recorded requests and a
 * `call` function that sends the session cookie. The token `another` is still valid.
 */
export async function somePages(t: ExecutionContext, changes: Partial<OpsDeps> = {}) {
  const requests: { action: OpsAction; by: string }[] = [];
  const sessions = new Map<string, object>();
  const entries = new Set([ENTRY, 'another']);
  const app = createOpsApp({
    hasWrites: false,
    summary: async () => SUMMARY,
    run: async () => undefined,
    lineage: async () => undefined,
    operations: async () => ({
      readState: async () => ({
        queues: QUEUES,
        workers: [],
        schedules: [aSchedule()],
      }),
      readJob: async () => undefined,
      enqueue: async (action, by) => `request-${requests.push({ action, by })}`,
      boards: () => [],
      close: async () => undefined,
    }),
    sessions: {
      get: async (id) => sessions.get(id),
      set: async (id, session) => void sessions.set(id, session),
      destroy: async (id) => void sessions.delete(id),
    },
    takeEntry: async (token) => entries.delete(token),
    keys: fakeKeys({ isAdmin: true, prefix: 'hw_live_admin1' }),
    isAdmin: async () => true,
    requestLinesPerS: 1_000,
    now: () => NOW,
    log: pino({ level: 'silent' }),
    findWriteRefusal: async () => undefined,
    ...changes,
  });
  const handle = app.callback();
  const port = await listen(t, (request, response) => void handle(request, response));
  let cookie: string | undefined;
  const call = async (path: string, { method, headers, form }: Sent = {}): Promise<Answer> => {
    const outgoing = sendRequest({
      port,
      path,
      method: method ?? (form ? 'POST' : 'GET'),
      headers: {
        ...(cookie !== undefined && { Cookie: cookie }),
        ...(form && { 'Content-Type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
    });
    outgoing.end(form && new URLSearchParams(form).toString());
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    const [set] = response.headers['set-cookie'] ?? [];
    if (set !== undefined) cookie = set.split(';')[0];
    const body = await text(response);
    return { status: response.statusCode ?? 0, headers: response.headers, body };
  };
  await call(`/ops/login?token=${ENTRY}`);
  /** Reads the session token from a page with a form. */
  const token = async (headers: Record<string, string> = {}) => {
    const { body } = await call('/ops/confirm?kind=nightly', { headers });
    return /name="token" value="([\w-]+)"/.exec(body)?.[1] ?? '';
  };
  const forgetCookie = () => (cookie = undefined);
  return { call, token, requests, sessions, entries, forgetCookie };
}
