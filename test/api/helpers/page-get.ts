import type { RequestListener } from 'node:http';
import inject from 'light-my-request';
import { createApp } from '../../../api/app.ts';
import type { ApiDeps } from '../../../api/deps.ts';
import { SOME_KEY, someDeps } from './app.ts';
import { explorerDeps } from './explorer-world.ts';

export type GetOptions = { accept?: string; headers?: Record<string, string> };

/** Creates a function that sends requests to an API with these parts, by default with a browser's headers. */
export function createPageGet(deps: Partial<ApiDeps> = explorerDeps()) {
  const handle = createApp(someDeps(deps)).callback();
  const listener: RequestListener = (request, response) => void handle(request, response);
  return (url: string, { accept = 'text/html,*/*', headers = {} }: GetOptions = {}) =>
    inject(listener, { method: 'GET', url, headers: { accept, ...headers } });
}

/** Creates a function that returns the body of an answer; a call under `/api/` gets a key. */
export function createJsonGet(deps: Partial<ApiDeps> = explorerDeps()) {
  const get = createPageGet(deps);
  return async (url: string): Promise<unknown> => {
    const keyed = url.startsWith('/api/') ? `${url}&api_key=${SOME_KEY}` : url;
    return JSON.parse((await get(keyed)).payload);
  };
}

/** Returns the text of markup without tags, with single spaces. */
export function textOf(markup: string): string {
  return markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
