import { startOfMinute } from '../../warehouse/ground/dates.ts';
import type { LiveState } from '../../warehouse/live/live-archive.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { Call } from '../call.ts';
import type { ApiDeps } from '../deps.ts';

type SignDeps = Pick<ApiDeps, 'models' | 'now' | 'signatures' | 'liveStates'>;

type SignedEndpoint<Query> = {
  parse: (call: Call) => Query;
  storeOf?: (query: Query) => ScoreStore;
  /** Path of the endpoint. */
  usageLabel?: string;
};

/** A body, its store, and the function that signs the body. */
export type SignedText = {
  text: string;
  store: ScoreStore | undefined;
  sign: () => Promise<string>;
};

/** Longer requests are left out of the signature, because proxies limit the size of headers. */
const MAX_REQUEST_CHARS = 2_000;

/** An attempt fails if live data change or a minute ends meanwhile. Three failures in a row are very unlikely. */
const MAX_ATTEMPTS = 3;

/**
 * Computes a body that `make answer-again` can compute again later. For this purpose the body uses only one store and
 * one state of the live data, within one minute. The signature covers store, state, minute, model and request. Answers
 * without a store, such as news, cannot be computed again.
 */
export async function computeSigned<Query>(
  endpoint: SignedEndpoint<Query>,
  {
    call,
    query,
    answer,
  }: { call: Call; query: Query; answer: (query: Query, call: Call) => string | Promise<string> },
  deps: SignDeps,
): Promise<SignedText> {
  const { models, now, signatures, liveStates } = deps;
  const { parse, storeOf } = endpoint;
  if (!storeOf) {
    const text = await models.complete(() => answer(query, call));
    return { text, store: undefined, sign: () => signatures.sign(text, { at: now() }) };
  }
  const request = requestOf(endpoint, call);
  const sign = async ({ text, model }: Scored, store: ScoreStore, basis: Basis) =>
    signatures.sign(text, {
      at: basis.at,
      storeVersion: store.manifest.version,
      model,
      live: basis.live && (await liveStates?.record(basis.live)),
      ...(request.length <= MAX_REQUEST_CHARS && { request }),
    });
  for (let attempt = 1; ; attempt++) {
    const basis: Basis = { at: now(), live: liveStates?.current() };
    const parsed = parse(call);
    const store = storeOf(parsed);
    // Read the version in this attempt: a fallback model may score although the imported model is available.
    const scored: Scored = await models.complete(async () => ({
      text: await answer(parsed, call),
      model: models.versionFor(store),
    }));
    const { text } = scored;
    const isSame = isSameMinute(basis.at, now()) && basis.live === liveStates?.current();
    if (isSame) return { text, store, sign: () => sign(scored, store, basis) };
    if (attempt < MAX_ATTEMPTS) continue;
    return { text, store, sign: () => sign(scored, store, { ...basis, live: undefined }) };
  }
}

/** The text of an answer, and the version of the model behind its score; undefined if no model was used. */
type Scored = { text: string; model: string | undefined };

type Basis = { at: Date; live: LiveState | undefined };

function isSameMinute(a: Date, b: Date): boolean {
  return startOfMinute(a).getTime() === startOfMinute(b).getTime();
}

/** Returns the path and parameters of the call, without the key. */
function requestOf({ usageLabel = '' }: { usageLabel?: string }, call: Call): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query)) {
    if (name === 'api_key') continue;
    for (const one of [value ?? []].flat()) params.append(name, one);
  }
  return `${usageLabel}?${params}`;
}
