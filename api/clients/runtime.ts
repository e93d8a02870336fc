/** Options of the client. */
export type ClientOptions = {
  /** Address of the service, without a path: `https://headwind.example`. */
  baseUrl: string;
  /** API key; only `health` works without one. */
  apiKey?: string | undefined;
  /** Deadline of one try in ms; default 10 s. */
  deadlineMs?: number;
  /** Number of retries after a temporary failure; default 2. */
  retries?: number;
  /** Longest wait before a retry in ms; default 10 s. If the server asks for a longer wait, the call fails at once. */
  patienceMs?: number;
  fetch?: typeof fetch;
  /**
   * Receives the proof of each signed answer, before the call returns. Store the proof if you want to show it to
   * others.
   */
  onSigned?: (proof: Proof) => void;
};

/** Body and signature of an answer to a call with `signed: true`. */
export type Proof = {
  /** Address of the call without the key. */
  url: string;
  /** The exact body. */
  body: string;
  /** Value of `X-Signature`; docs/api.md shows how to verify it. */
  signature: string;
};

/** A failed call: an error response, or no response. */
export class HeadwindError extends Error {
  override readonly name = 'HeadwindError';
  /** HTTP status; undefined without a response. */
  readonly status: number | undefined;
  /**
   * Error code from the documentation, or one of two further codes. The code is `invalid_response` if the response did
   * not come from this service but, for example, from a proxy. The code is `no_response` if no response came in time.
   * In the case of `no_response`, `cause` contains the error of `fetch`.
   */
  readonly code: string;
  /** The invalid or missing parameter. */
  readonly param: string | undefined;
  /** Id of the request. Include this id when you report the error. */
  readonly requestId: string | undefined;
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | undefined;

  constructor(response: Response | undefined, body: Record<string, unknown>, cause?: unknown) {
    const fallback = response ? `HTTP ${response.status} without a message` : 'No response';
    super(textOf(body['message']) ?? fallback, { cause });
    this.status = response?.status;
    this.code = textOf(body['error']) ?? (response ? 'invalid_response' : 'no_response');
    this.param = textOf(body['param']);
    this.requestId = response?.headers.get('X-Request-Id') ?? undefined;
    const retryAfter = Number(response?.headers.get('Retry-After') ?? Number.NaN);
    this.retryAfter = Number.isNaN(retryAfter) ? undefined : retryAfter;
  }
}

/** An endpoint: its path with parameters in braces, the accepted statuses, and whether retries are forbidden. */
type Endpoint = { path: string; method?: string; accepted?: number[]; isOnce?: boolean };

type Params = Record<string, string | number | boolean | string[] | undefined>;

/** Returns the function that calls endpoints and retries temporary failures. */
function caller(options: ClientOptions) {
  const { retries = 2, patienceMs = 10_000 } = options;
  return async <Answer>(endpoint: Endpoint, params: Params = {}): Promise<Answer> => {
    for (let left = endpoint.isOnce ? 0 : retries; ; left -= 1) {
      try {
        return (await tryOnce(endpoint, params, options)) as Answer;
      } catch (error) {
        const waitMs = retryDelay(error, retries - left);
        if (left <= 0 || waitMs === undefined || waitMs > patienceMs) throw error;
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    }
  };
}

async function tryOnce(
  { path, method = 'GET', accepted = [200] }: Endpoint,
  params: Params,
  { baseUrl, apiKey, deadlineMs = 10_000, fetch = globalThis.fetch, onSigned }: ClientOptions,
): Promise<object> {
  const url = new URL(baseUrl);
  url.pathname = path;
  const query: Params = { ...params, api_key: apiKey };
  for (const [name, value] of Object.entries(query)) {
    const text = encodeURIComponent(String(value));
    if (path.includes(`{${name}}`)) url.pathname = path.replace(`{${name}}`, text);
    else if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const { response, text, body } = await readResponse(() =>
    fetch(url, { method, signal: AbortSignal.timeout(deadlineMs) }),
  );
  if (body === undefined || !accepted.includes(response.status)) {
    throw new HeadwindError(response, (body ?? {}) as Record<string, unknown>);
  }
  const signature = response.headers.get('X-Signature');
  if (signature !== null) {
    url.searchParams.delete('api_key');
    onSigned?.({ url: url.href, body: text, signature });
  }
  return body;
}

/** Returns the response with its body. Throws a `HeadwindError` if the connection fails or the deadline passes. */
async function readResponse(send: () => Promise<Response>) {
  try {
    const response = await send();
    const text = await response.text();
    return { response, text, body: objectOf(text) };
  } catch (error) {
    throw new HeadwindError(undefined, {}, error);
  }
}

/** Returns the wait before the next try in ms, or undefined if a retry cannot help. */
function retryDelay(error: unknown, failedTries: number): number | undefined {
  const backoffMs = 250 * 2 ** failedTries;
  if (!(error instanceof HeadwindError)) return undefined;
  if (![undefined, 429, 502, 503, 504].includes(error.status)) return undefined;
  return error.retryAfter === undefined ? backoffMs : 1000 * error.retryAfter;
}

/** Returns the body, or undefined if it is not a JSON object. */
function objectOf(text: string): object | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export { caller };
