import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Router } from '@koa/router';
import type { Logger } from 'pino';
import { callOf, type Call } from '../call.ts';
import type { ApiState } from '../context.ts';
import type { Answered } from '../metrics/api-metrics.ts';
import type { KeyedAnswer, KeyedMiddleware } from './keyed.ts';
import { keepPrivate } from './private-address.ts';
import { refusalOf } from './refusal.ts';
import { requestIdOf } from './request-id.ts';
import type { TellRequest } from './request-log.ts';

type Listener = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

export type StraightDeps = {
  log: Pick<Logger, 'error'>;
  tell: TellRequest;
  answered?: Answered | undefined;
};

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Answers a GET to the very path of an endpoint with a key and short answers, by the same functions as Koa's middlewares, but
 * without them: a context, a chain of promises and the rest of it take a third of what a score costs. All else goes on to Koa.
 */
export function straight(router: Router<ApiState>, deps: StraightDeps, others: Listener): Listener {
  const answers = new Map<string, KeyedAnswer>();
  for (const { path, paramNames, stack } of router.stack) {
    const { short } = (stack[0] ?? {}) as Partial<KeyedMiddleware>;
    if (typeof path === 'string' && paramNames.length === 0 && short) answers.set(path, short);
  }
  return (req, res) => {
    const path = req.method === 'GET' ? pathOf(req.url ?? '') : '';
    const answer = answers.get(path);
    return answer ? give(answer, path, { req, res }, deps) : others(req, res);
  };
}

async function give(
  answer: KeyedAnswer,
  path: string,
  { req, res }: { req: IncomingMessage; res: ServerResponse },
  { log, tell, answered }: StraightDeps,
): Promise<void> {
  const startedAt = performance.now();
  const head = createHead();
  const call = callOf(req, head, requestIdOf(req));
  head.setHeader('X-Request-Id', call.state.requestId);
  keepPrivate(head);
  const { status, text } = await statusAndText(answer, call, log);
  const bytes = Buffer.byteLength(text);
  head.setHeader('Content-Type', JSON_TYPE);
  head.setHeader('Content-Length', String(bytes));
  // One byte a character: so written as they are.
  res.writeHead(status, head.lines).end(text, bytes === text.length ? 'latin1' : 'utf8');
  tell({ method: 'GET', path, query: call.query, state: call.state, status }, startedAt);
  answered?.(path, status, (performance.now() - startedAt) / 1000);
}

async function statusAndText(
  answer: KeyedAnswer,
  call: Call,
  log: StraightDeps['log'],
): Promise<{ status: number; text: string }> {
  try {
    return { status: 200, text: await answer(call) };
  } catch (thrown) {
    const { error, headers, body } = refusalOf(thrown, call.state, log);
    for (const [name, value] of Object.entries(headers)) call.res.setHeader(name, value);
    return { status: error.status, text: JSON.stringify(body) };
  }
}

/** Headers of an answer as node takes them at once, names and values in turn; each of them again would cost more. */
type Head = Call['res'] & { lines: string[] };

function createHead(): Head {
  const lines: string[] = [];
  return {
    lines,
    setHeader: (name, value) => {
      // A name that is there already has its value replaced; names stand in the even places.
      let at = 0;
      while (at < lines.length && lines[at] !== name) at += 2;
      lines[at] = name;
      lines[at + 1] = value;
    },
  };
}

function pathOf(url: string): string {
  const queryFrom = url.indexOf('?');
  return queryFrom === -1 ? url : url.slice(0, queryFrom);
}
