import { parse, type ParsedUrlQuery } from 'node:querystring';
import type { ApiDeps } from '../deps.ts';
import { publicDocument, type PublicDocument } from '../routes/public-document.ts';
import { readParams } from '../schemas/params.ts';
import { currentStore } from '../scoring/current-store.ts';
import { createAsyncCache } from '../scoring/async-cache.ts';
import { memoizeFor } from '../../warehouse/ground/load-once.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { Endpoint } from './endpoint.ts';
import { nextSlice } from './endpoints/time-slices.ts';
import { ENDPOINTS } from './endpoints.ts';

/**
 * Maximum total length of cached answers, in characters of JSON. Each answer is cached as JSON and as objects; the
 * objects take several times more memory.
 */
const MAX_CHARS = 16_000_000;

type Answer = {
  body: object;
  document: PublicDocument;
  /** The result of the endpoint's `flightTexts`; undefined if the endpoint does not have this function. */
  flightTexts: string[] | undefined;
};

/**
 * Returns two functions that answer page requests: `of` takes an endpoint and its query, `at` takes an address. Both
 * return the body in two forms: as an object for pages that the server draws, and as a document for the browser.
 */
export function createAnswers(deps: ApiDeps) {
  const memoOf = memoizeFor((_store: ScoreStore) => createAsyncCache<Answer>(MAX_CHARS, charsOf));
  const answerOf = async (endpoint: Endpoint, query: ParsedUrlQuery) => {
    const { answer, restsOn, path, params } = endpoint;
    const make = async (): Promise<Answer> => {
      const body = await deps.models.complete(() => answer(query, deps));
      await nextSlice();
      const document = publicDocument(JSON_TYPE, JSON.stringify(body));
      return { body, document, flightTexts: endpoint.flightTexts?.(body) };
    };
    if (restsOn === 'now') return make();
    const memo = memoOf(currentStore(deps.stores));
    // The cache key contains only the parameters that the endpoint reads. An address may contain other parameters too.
    const values = params ? readParams(query, params) : {};
    return memo(`${path} ${JSON.stringify(values)}`, make);
  };
  return {
    of: answerOf,
    at: async (address: string): Promise<Answer> => {
      const [path = '', query = ''] = address.split('?');
      return answerOf(endpointAt(path), parse(query));
    },
  };
}

/** Returns the maximum number of flights in the answer at an `/explorer/…` address. */
export function flightsAt(address: string): number {
  const [path = '', query = ''] = address.split('?');
  return endpointAt(path).flights?.(parse(query)) ?? 0;
}

function endpointAt(path: string): Endpoint {
  const endpoint = ENDPOINTS.find((one) => one.path === path);
  if (!endpoint) throw new Error(`no endpoint has the path ${path}`);
  return endpoint;
}

const JSON_TYPE = 'application/json; charset=utf-8';

function charsOf({ document }: Answer): number {
  return document.body.length;
}
