import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Router } from '@koa/router';
import accepts from 'accepts';
import type { Logger } from 'pino';
import { createCall, type Call } from '../call.ts';
import type { ApiState } from '../context.ts';
import type { RecordAnswer } from '../metrics/api-metrics.ts';
import { compressLong } from './compression.ts';
import type { KeyedAnswer, KeyedMiddleware } from './keyed-endpoint.ts';
import { toRefusal } from './refusal.ts';
import { readRequestId } from './request-id.ts';
import type { LogRequest } from './request-log.ts';
import { setPrivateHeaders } from './answer-headers.ts';

type Listener = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

export type FastPathDeps = {
  log: Pick<Logger, 'error'>;
  logRequest: LogRequest;
  recordAnswer?: RecordAnswer | undefined;
};

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Answers GET requests without Koa if the path is exactly the path of a keyed endpoint. Koa's context and promise chain
 * would take a third of the time of a score. The fast path calls the same functions as Koa's middlewares. All other
 * requests go to Koa.
 */
export function bypassKoa(router: Router<ApiState>, deps: FastPathDeps, koa: Listener): Listener {
  const answers = keyedAnswersOf(router);
  return (req, res) => {
    const path = req.method === 'GET' ? pathOf(req.url ?? '') : '';
    const answer = answers.get(path);
    return answer ? sendAnswer(answer, path, { req, res }, deps) : koa(req, res);
  };
}

/**
 * Returns a map from paths to answer functions. The map contains the keyed GET endpoints without parameters in the
 * path.
 */
export function keyedAnswersOf({
  stack: routes,
}: Pick<Router<ApiState>, 'stack'>): Map<string, KeyedAnswer> {
  const answers = new Map<string, KeyedAnswer>();
  for (const { path, paramNames, methods, stack } of routes) {
    const middleware = stack[0] as Partial<KeyedMiddleware> | undefined;
    const isFixed = typeof path === 'string' && paramNames.length === 0 && methods.includes('GET');
    if (isFixed && middleware?.keyedAnswer) answers.set(path, middleware.keyedAnswer);
  }
  return answers;
}

async function sendAnswer(
  answer: KeyedAnswer,
  path: string,
  { req, res }: { req: IncomingMessage; res: ServerResponse },
  { log, logRequest, recordAnswer }: FastPathDeps,
): Promise<void> {
  const startedAt = performance.now();
  const head = createHead();
  const call = createCall(req, { res, set: head.set }, readRequestId(req));
  head.set('X-Request-Id', call.state.requestId);
  setPrivateHeaders(head);
  const { status, body } = await runAnswer(answer, { call, req }, log);
  if (body === undefined) {
    res.writeHead(status, head.lines).end();
  } else {
    const bytes = Buffer.byteLength(body);
    head.set('Content-Type', JSON_TYPE);
    head.set('Content-Length', String(bytes));
    // If a text has as many bytes as characters, the text is ASCII. Writing such a text as `latin1` is faster.
    res.writeHead(status, head.lines).end(body, bytes === body.length ? 'latin1' : 'utf8');
  }
  logRequest({ method: 'GET', path, query: call.query, state: call.state, status }, startedAt);
  recordAnswer?.(path, status, (performance.now() - startedAt) / 1000);
}

async function runAnswer(
  answer: KeyedAnswer,
  { call, req }: { call: Call; req: IncomingMessage },
  log: FastPathDeps['log'],
): Promise<{ status: number; body: string | Buffer | undefined }> {
  try {
    const text = await answer(call);
    if (text === undefined) return { status: 304, body: text };
    if (!call.state.isCompressible) return { status: 200, body: text };
    const body = await compressLong(text, (coding) => accepts(req).encodings(coding), call);
    return { status: 200, body };
  } catch (thrown) {
    const { error, headers, body } = toRefusal(thrown, call.state, log);
    for (const [name, value] of Object.entries(headers)) call.set(name, value);
    return { status: error.status, body: JSON.stringify(body) };
  }
}

/**
 * Headers of an answer in the form of Node's `writeHead`: names and values alternate. Setting headers one by one would
 * be slower.
 */
type Head = { lines: string[]; set: (name: string, value: string) => void };

function createHead(): Head {
  const lines: string[] = [];
  return {
    lines,
    set: (name, value) => {
      // Names are at even positions. If a header is set again, its value is replaced.
      let at = 0;
      while (at < lines.length && lines[at] !== name) at += 2;
      lines[at] = name;
      lines[at + 1] = value;
    },
  };
}

function pathOf(url: string): string {
  const queryStart = url.indexOf('?');
  return queryStart === -1 ? url : url.slice(0, queryStart);
}
