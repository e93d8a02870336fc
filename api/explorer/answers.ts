import { parse, type ParsedUrlQuery } from 'node:querystring';
import type { ApiDeps } from '../deps.ts';
import { publicDocument, type PublicDocument } from '../routes/public-document.ts';
import { readParams } from '../schemas/params.ts';
import { currentStore } from '../scoring/current-store.ts';
import { createMemo, type Memo } from '../scoring/memo.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { Endpoint } from './endpoint.ts';
import { nextTurn } from './endpoints/turns.ts';
import { ENDPOINTS } from './endpoints.ts';

/** Characters of JSON kept of the answers that rest on the store alone; with what they were made from, some times that. */
const KEPT_CHARS = 16_000_000;

type Kept = { body: object; document: PublicDocument };

/** Asks endpoints: for their body, where a page is drawn here, or for it as a document, where the browser draws. */
export function createAnswers(deps: ApiDeps) {
  const memos = new WeakMap<ScoreStore, Memo<Kept>>();
  const ask = async ({ answer, restsOn, path, question }: Endpoint, query: ParsedUrlQuery) => {
    const make = async (): Promise<Kept> => {
      const body = await answer(query, deps);
      await nextTurn();
      return { body, document: publicDocument(JSON_TYPE, JSON.stringify(body)) };
    };
    if (restsOn === 'now') return make();
    const store = currentStore(deps.stores);
    const memo = memos.get(store) ?? createMemo<Kept>(KEPT_CHARS, charsOf);
    memos.set(store, memo);
    // By what was read of the question: an address may have any number of parameters that nobody reads.
    const asked = question ? readParams(query, question) : {};
    return memo(`${path} ${JSON.stringify(asked)}`, make);
  };
  return {
    document: async (endpoint: Endpoint, query: ParsedUrlQuery) =>
      (await ask(endpoint, query)).document,
    /** The answer of the endpoint at an address of our own. */
    at: async (address: string): Promise<Kept> => {
      const [path = '', query = ''] = address.split('?');
      const endpoint = ENDPOINTS.find((one) => one.path === path);
      if (!endpoint) throw new Error(`no endpoint has the path ${path}`);
      return ask(endpoint, parse(query));
    },
  };
}

const JSON_TYPE = 'application/json; charset=utf-8';

function charsOf({ document }: Kept): number {
  return document.body.length;
}
