/** How the client calls. */
export type ClientOptions = {
  /** Address of the service, without a path: `https://headwind.example`. */
  baseUrl: string;
  /** Left out for `health` alone. */
  apiKey?: string | undefined;
  /** How long one try may take, in ms; 10 s unless given. */
  deadlineMs?: number;
  /** How often to try again what was refused for the moment, or did not come through; 2 unless given. */
  retries?: number;
  /** The longest wait before a try, in ms; 10 s unless given. Who is told to wait longer is refused at once. */
  patienceMs?: number;
  fetch?: typeof fetch;
};

/** A call that failed: its answer is not the one asked for, or none came. */
export class HeadwindError extends Error {
  override readonly name = 'HeadwindError';
  /** Of the answer; undefined when none came. */
  readonly status: number | undefined;
  /**
   * A code of the documentation; `invalid_response` when it was not this service that answered, as with a proxy;
   * `no_response` when nobody did, or not in time: `cause` is what `fetch` threw.
   */
  readonly code: string;
  /** The parameter at fault. */
  readonly param: string | undefined;
  /** To quote in a report. */
  readonly requestId: string | undefined;
  /** Seconds after which to try again. */
  readonly retryAfter: number | undefined;

  constructor(response: Response | undefined, body: Record<string, unknown>, cause?: unknown) {
    const without = response ? `HTTP ${response.status} without a message` : 'No answer came';
    super(textOf(body['message']) ?? without, { cause });
    this.status = response?.status;
    this.code = textOf(body['error']) ?? (response ? 'invalid_response' : 'no_response');
    this.param = textOf(body['param']);
    this.requestId = response?.headers.get('X-Request-Id') ?? undefined;
    const retryAfter = Number(response?.headers.get('Retry-After') ?? Number.NaN);
    this.retryAfter = Number.isNaN(retryAfter) ? undefined : retryAfter;
  }
}

/** One endpoint: where it is, which answers are good ones, and whether asking twice does no harm. */
type Endpoint = { path: string; accepted?: number[]; isOnce?: boolean };

type Params = Record<string, string | number | boolean | string[] | undefined>;

/** Makes the function that calls endpoints and tries again where that can help. */
function caller(options: ClientOptions) {
  const { retries = 2, patienceMs = 10_000 } = options;
  return async <Answer>(endpoint: Endpoint, params: Params = {}): Promise<Answer> => {
    for (let left = endpoint.isOnce ? 0 : retries; ; left -= 1) {
      try {
        return (await tryOnce(endpoint, params, options)) as Answer;
      } catch (error) {
        const waitMs = waitOf(error, retries - left);
        if (left <= 0 || waitMs === undefined || waitMs > patienceMs) throw error;
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    }
  };
}

async function tryOnce(
  { path, accepted = [200] }: Endpoint,
  params: Params,
  { baseUrl, apiKey, deadlineMs = 10_000, fetch = globalThis.fetch }: ClientOptions,
): Promise<object> {
  const url = new URL(path, baseUrl);
  const given: Params = { ...params, api_key: apiKey };
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const { response, body } = await answerOf(() =>
    fetch(url, { signal: AbortSignal.timeout(deadlineMs) }),
  );
  if (body === undefined || !accepted.includes(response.status)) {
    throw new HeadwindError(response, (body ?? {}) as Record<string, unknown>);
  }
  return body;
}

/** The answer with its body; throws a `HeadwindError` when the connection fails, or the deadline passes, before all of it came. */
async function answerOf(ask: () => Promise<Response>) {
  try {
    const response = await ask();
    return { response, body: await objectOf(response) };
  } catch (error) {
    throw new HeadwindError(undefined, {}, error);
  }
}

/** How long to wait before the next try, in ms; undefined: trying again cannot help. */
function waitOf(error: unknown, tried: number): number | undefined {
  const guessMs = 250 * 2 ** tried;
  if (!(error instanceof HeadwindError)) return undefined;
  if (![undefined, 429, 502, 503, 504].includes(error.status)) return undefined;
  return error.retryAfter === undefined ? guessMs : 1000 * error.retryAfter;
}

/** The body as an object; undefined when it is no JSON object. */
async function objectOf(response: Response): Promise<object | undefined> {
  const body: unknown = await response.json().catch((error: unknown) => {
    // Only what is not JSON; a broken connection or the deadline stays an error of its own.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  });
  return typeof body === 'object' && body !== null ? body : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export { caller };
