import type { AirlinesBody } from './schemas/airlines.ts';
import type { BatchBody } from './schemas/batch.ts';
import type { CalendarBody } from './schemas/calendar.ts';
import type { ErrorBody } from './schemas/error.ts';
import type { ExplainBody } from './schemas/explain.ts';
import type { HealthBody } from './schemas/health.ts';
import type { Include } from './schemas/include.ts';
import type { CreateKeyBody, UsageBody, ValidateKeyBody } from './schemas/keys.ts';
import type { ModelBody } from './schemas/model.ts';
import type { NewsBody } from './schemas/news.ts';
import type { ScoreBody } from './schemas/score.ts';

/** Longer than any answer takes; one that has not come by then will not help a waiting traveller. */
const DEADLINE_MS = 10_000;

export type ClientOptions = {
  /** Address of the service, without a path: `https://headwind.example`. */
  baseUrl: string;
  /** Left out for `health` alone. */
  apiKey?: string;
  /** How long one call may take, in ms; 10 s unless given. */
  deadlineMs?: number;
  fetch?: typeof fetch;
};

export type Route = { origin: string; dest: string };
export type Service = Route & { airline: string; /** Local time, `HH:MM`. */ depTime?: string };
export type Flight = Service & { /** Local date at the origin, `YYYY-MM-DD`. */ date: string };
export type ScoreOptions = { news?: boolean; include?: Include[] };
export type NewKey = { name: string; email: string; monthlyLimit?: number };

export type Client = {
  score: (flight: Flight, options?: ScoreOptions) => Promise<ScoreBody>;
  /** Up to 50 flights; the results stand in their order. */
  batch: (flights: Flight[]) => Promise<BatchBody>;
  /** `month` is `YYYY-MM`. */
  calendar: (service: Service, month: string) => Promise<CalendarBody>;
  airlines: (route: Route) => Promise<AirlinesBody>;
  news: (route: Route, options?: { refresh?: boolean }) => Promise<NewsBody>;
  explain: (flight: Flight) => Promise<ExplainBody>;
  /** The card of the model that scores; 404 `not_found` when there is none. */
  model: () => Promise<ModelBody>;
  /** 401 `invalid_api_key` for a key that is unknown or inactive. */
  validateKey: () => Promise<ValidateKeyBody>;
  /** Year and month narrow the history. */
  keyUsage: (only?: { year?: number; month?: number }) => Promise<UsageBody>;
  /** Needs an admin key. */
  createKey: (key: NewKey) => Promise<CreateKeyBody>;
  /** Also answers when the service is not well: see `status`. */
  health: () => Promise<HealthBody>;
};

/** An answer that is not the one asked for; a call that got none at all fails with what `fetch` throws. */
export class HeadwindError extends Error {
  override readonly name = 'HeadwindError';
  readonly status: number;
  /** `invalid_response` when the body was not one of this service, as when a proxy answers. */
  readonly code: ErrorBody['error'] | 'invalid_response';
  /** The parameter at fault. */
  readonly param: string | undefined;
  /** To quote in a report. */
  readonly requestId: string | undefined;
  /** Seconds after which to try again. */
  readonly retryAfter: number | undefined;

  constructor(response: Response, body: Partial<ErrorBody>) {
    super(body.message ?? `HTTP ${response.status} without a message`);
    this.status = response.status;
    this.code = body.error ?? 'invalid_response';
    this.param = body.param;
    this.requestId = response.headers.get('X-Request-Id') ?? undefined;
    const retryAfter = response.headers.get('Retry-After');
    this.retryAfter = retryAfter === null ? undefined : Number(retryAfter);
  }
}

/** A typed client of the API. Every call has a deadline; none is repeated by itself. */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, apiKey, deadlineMs = DEADLINE_MS, fetch = globalThis.fetch } = options;

  const get = async <Body>(path: string, params: Params, accepted = [200]): Promise<Body> => {
    const url = new URL(path, baseUrl);
    const given: Params = { ...params, api_key: apiKey };
    for (const [name, value] of Object.entries(given)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const response = await fetch(url, { signal: AbortSignal.timeout(deadlineMs) });
    const body = await jsonOf(response);
    if (body === undefined || !accepted.includes(response.status)) {
      throw new HeadwindError(response, body ?? {});
    }
    return body as Body;
  };

  return {
    score: (flight, { news, include } = {}) =>
      get('/api/score', { ...paramsOf(flight), news, include: include?.join(',') }),
    batch: (flights) => get('/api/score/batch', { flights: flights.map(textOf).join(',') }),
    calendar: (service, month) => get('/api/calendar', { ...paramsOf(service), month }),
    airlines: ({ origin, dest }) => get('/api/airlines', { origin, dest }),
    news: ({ origin, dest }, { refresh } = {}) => get('/api/news', { origin, dest, refresh }),
    explain: (flight) => get('/api/explain', paramsOf(flight)),
    model: () => get('/api/model', {}),
    validateKey: () => get('/api/keys/validate', {}),
    keyUsage: ({ year, month } = {}) => get('/api/keys/usage', { year, month }),
    createKey: ({ name, email, monthlyLimit }) =>
      get('/api/keys/create', { name, email, monthly_limit: monthlyLimit }),
    health: () => get('/api/health', {}, [200, 503]),
  };
}

type Params = Record<string, string | number | boolean | undefined>;

function paramsOf({ depTime, ...flight }: Service | Flight): Params {
  return { ...flight, dep_time: depTime };
}

function textOf({ origin, dest, airline, date, depTime }: Flight): string {
  return `${origin}-${dest}-${airline}-${date}${depTime === undefined ? '' : `T${depTime}`}`;
}

/** The body as an object; undefined when it is no JSON object. */
async function jsonOf(response: Response): Promise<object | undefined> {
  const body: unknown = await response.json().catch((error: unknown) => {
    // Only what is not JSON; a broken connection or the deadline stays an error of its own.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  });
  return typeof body === 'object' && body !== null ? body : undefined;
}
