import fc, { type Arbitrary } from 'fast-check';
import { schemasOf, type RequestSchema } from './endpoints.ts';
import { rawBytes } from './raw-bytes.ts';
import { HOSTILE, KEYS, UNKNOWN_NAMES, WORDS } from './words.ts';

/** A request as bytes, one per character. */
export type Shot = {
  kind: 'parameters' | 'address' | 'headers' | 'bytes';
  /** Whether the answer has no body. */
  isHead: boolean;
  bytes: string;
};

/** Returns a generator of requests of every kind, from well-formed ones with unusual parameters to raw bytes. */
export function shots(paths: string[], schemas: RequestSchema[]): Arbitrary<Shot> {
  const target = fc
    .constantFrom(...paths)
    .chain((path) => queryFor(path, schemas).map((query) => ({ path: fillPath(path), query })));
  const parameters = fc
    .record({ target, method: weighted(['GET', 9], ['HEAD', 1]) })
    .map(({ target: { path, query }, method }) => buildShot('parameters', method, path + query));
  const address = fc
    .record({ target, method, twist: twists })
    .map(({ target: { path, query }, method, twist }) =>
      buildShot('address', method, twist(path) + query),
    );
  const withHeaders = fc
    .record({ target, method, headers: fc.array(header, { minLength: 1, maxLength: 6 }) })
    .map(({ target: { path, query }, method, headers }) =>
      buildShot('headers', method, path + query, headers),
    );
  const raw = fc.tuple(target, rawBytes).map(([{ path, query }, make]): Shot => {
    return { kind: 'bytes', isHead: false, bytes: make(path + query) };
  });
  return fc.oneof(
    { arbitrary: parameters, weight: 11 },
    { arbitrary: address, weight: 3 },
    { arbitrary: withHeaders, weight: 3 },
    { arbitrary: raw, weight: 3 },
  );
}

type Pair = [name: string, value: string];

function queryFor(path: string, schemas: RequestSchema[]): Arbitrary<string> {
  const query = fc
    .constantFrom(...schemasOf(path, schemas))
    .chain(({ schema }) =>
      fc.tuple(...Object.entries(schema.shape).map(([name, rule]) => parameter(name, rule))),
    );
  const extra = fc.array(fc.tuple(fc.constantFrom(...UNKNOWN_NAMES), anyText), { maxLength: 2 });
  return fc
    .record({
      query,
      extra: usually(fc.constant<Pair[]>([]), extra),
      key: apiKey,
      encode: encodings,
      order: weighted(['given', 4], ['turned', 1], ['twice', 1]),
      separator: weighted(['&', 30], [';', 1], ['&&', 1], ['&?', 1], ['#', 1]),
    })
    .map(({ query, extra, key, encode, order, separator }) => {
      const pairs = [...query.flat(), ...extra, ...key];
      const ordered = order === 'turned' ? pairs.toReversed() : pairs;
      const all = order === 'twice' ? [...ordered, ...ordered.slice(0, 1)] : ordered;
      return `?${all.map(([name, value]) => `${encode(name)}=${encode(value)}`).join(separator)}`;
    });
}

/**
 * Generates a parameter. Most values are accepted by the schema, so that requests pass the first check; sometimes the
 * parameter is missing.
 */
function parameter(name: string, rule: unknown): Arbitrary<Pair[]> {
  const accepts = rule as { safeParse: (value: string) => { success: boolean } };
  const good = WORDS.filter((word) => accepts.safeParse(word).success);
  const value = good.length > 0 ? usually(fc.constantFrom(...good), anyText) : anyText;
  return usually(
    value.map((text): Pair[] => [[name, text]]),
    fc.constant<Pair[]>([]),
  );
}

const anyText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

const apiKey: Arbitrary<Pair[]> = fc.oneof(
  { arbitrary: fc.constant<Pair[]>([['api_key', KEYS.good]]), weight: 12 },
  { arbitrary: fc.constant<Pair[]>([['api_key', KEYS.admin]]), weight: 4 },
  { arbitrary: fc.constant<Pair[]>([['api_key', KEYS.inactive]]), weight: 1 },
  { arbitrary: anyText.map((text): Pair[] => [['api_key', text]]), weight: 1 },
  { arbitrary: fc.constant<Pair[]>([]), weight: 1 },
);

/** Encodings of text in an address; keys stay unencoded. */
const encodings = fc.oneof(
  { arbitrary: fc.constant((text: string) => escape(text)), weight: 12 },
  { arbitrary: fc.constant((text: string) => escape(escape(text))), weight: 1 },
  { arbitrary: fc.constant((text: string) => text.replaceAll(/[\s#]/g, '+')), weight: 1 },
);

const twists: Arbitrary<(path: string) => string> = fc.oneof(
  fc.constantFrom(
    (path: string) => `${path}/`,
    (path: string) => path.toUpperCase(),
    (path: string) => `/${path}`,
    (path: string) => path.replaceAll('/', '//'),
    (path: string) => path.replaceAll('/', '%2F'),
    (path: string) => path.replace('/api', '/api/..%2fapi/.'),
    (path: string) => `/x/..${path}`,
    (path: string) => `${path}%00`,
    (path: string) => `${path};x=y`,
    (path: string) => `http://elsewhere.example${path}`,
    (path: string) => `http://[::1${path}`,
    (path: string) => path.slice(1),
    () => '*',
  ),
  anyText.map((text) => (path: string) => `${path}/${escape(text)}`),
  anyText.map((text) => () => `/${text.replaceAll(/\s/g, '')}`),
);

const method = weighted(
  ['GET', 8],
  ['HEAD', 2],
  ['POST', 1],
  ['PUT', 1],
  ['DELETE', 1],
  ['OPTIONS', 1],
  ['TRACE', 1],
  ['PROPFIND', 1],
  ['CONNECT', 1],
  ['get', 1],
  ['NONSENSE', 1],
);

const header: Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(
      ...['Host', 'X-Admin-Key', 'X-Request-Id', 'Authorization', 'Cookie', 'Referer', 'Origin'],
      ...['User-Agent', 'Accept', 'Accept-Encoding', 'If-None-Match', 'If-Modified-Since', 'Range'],
      ...['Sec-Purpose', 'Sec-Fetch-Site', 'Expect', 'Upgrade', 'TE', 'Trailer', 'Content-Type'],
      ...['X-Forwarded-For', 'X-HTTP-Method-Override', '__proto__', 'constructor'],
    ),
    fc.oneof(fc.constant<string>(KEYS.admin), anyText),
  )
  .map(([name, value]) => `${name}: ${value.replaceAll(/[\r\n]/g, ' ')}`);

function buildShot(
  kind: Shot['kind'],
  method: string,
  target: string,
  headers: string[] = [],
): Shot {
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: fuzz', ...headers, 'Connection: close'];
  return { kind, isHead: method === 'HEAD', bytes: toLatin1(`${lines.join('\r\n')}\r\n\r\n`) };
}

/** Fills the parameters of a path like `/docs/:file` with a value. */
function fillPath(path: string): string {
  return path.replaceAll(/:\w+|\{?\*\w*\}?|\(.*?\)/g, 'x');
}

function escape(text: string): string {
  if (Object.values<string>(KEYS).includes(text)) return text;
  return encodeURIComponent(text.toWellFormed());
}

function toLatin1(text: string): string {
  return Buffer.from(text.toWellFormed(), 'utf8').toString('latin1');
}

function usually<T>(usual: Arbitrary<T>, other: Arbitrary<T>): Arbitrary<T> {
  return fc.oneof({ arbitrary: usual, weight: 9 }, { arbitrary: other, weight: 1 });
}

function weighted<T>(...choices: [value: T, weight: number][]): Arbitrary<T> {
  return fc.oneof(...choices.map(([value, weight]) => ({ arbitrary: fc.constant(value), weight })));
}
