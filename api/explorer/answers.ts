import { parse, type ParsedUrlQuery } from 'node:querystring';
import type { ApiDeps } from '../deps.ts';
import { publicDocument, type PublicDocument } from '../routes/public-document.ts';
import { currentStore } from '../scoring/current-store.ts';
import { createMemo, type Memo } from '../scoring/memo.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { Endpoint } from './endpoint.ts';
import { ENDPOINTS } from './endpoints.ts';

/** Answers kept of those that rest on the store alone. */
const KEPT = 200;

type Kept = { body: object; document: PublicDocument };

/** Asks endpoints: for their body, where a page is drawn here, or for it as a document, where the browser draws. */
export function createAnswers(deps: ApiDeps) {
  const memos = new WeakMap<ScoreStore, Memo<Promise<Kept>>>();
  const ask = async ({ answer, restsOn, path }: Endpoint, query: ParsedUrlQuery, url: string) => {
    const make = async (): Promise<Kept> => {
      const body = await answer(query, deps);
      return { body, document: publicDocument(JSON_TYPE, JSON.stringify(body)) };
    };
    if (restsOn === 'now') return make();
    const store = currentStore(deps.stores);
    const memo = memos.get(store) ?? createMemo<Promise<Kept>>(KEPT);
    memos.set(store, memo);
    return memo(`${path} ${url}`, make);
  };
  return {
    document: async (endpoint: Endpoint, query: ParsedUrlQuery, url: string) =>
      (await ask(endpoint, query, url)).document,
    /** The body of the endpoint at an address of our own. */
    at: async (address: string): Promise<object> => {
      const [path = '', query = ''] = address.split('?');
      const endpoint = ENDPOINTS.find((one) => one.path === path);
      if (!endpoint) throw new Error(`no endpoint has the path ${path}`);
      return (await ask(endpoint, parse(query), address)).body;
    },
  };
}

const JSON_TYPE = 'application/json; charset=utf-8';
