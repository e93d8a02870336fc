import { Router } from '@koa/router';
import type { ApiState } from '../context.ts';
import type { ApiDeps } from '../deps.ts';
import { RequestError } from '../errors.ts';
import type { KeyedAnswer } from '../middleware/keyed-endpoint.ts';
import { readBody } from '../request-body.ts';
import type { McpService } from './server.ts';

/** Messages of agents are short: a comparison of 50 flights takes 2 kB. */
const BODY_MAX_BYTES = 64 * 1024;
const DEADLINE_MS = 30_000;
/** Type of an answer that is a stream of events. Agents that use the protocol of 2025 get such answers. */
const EVENT_STREAM = 'text/event-stream';
/** Headers that are passed on from the protocol package. The API sets all other headers itself. */
const MCP_HEADER = /^(?:content-type|allow|mcp-.*)$/;

/**
 * Serves `POST /mcp`, the Model Context Protocol, for agents. The package for this protocol is loaded on the first
 * request.
 */
export function mcpRoutes(
  answers: ReadonlyMap<string, KeyedAnswer>,
  deps: Pick<ApiDeps, 'log'>,
): Router<ApiState> {
  let service: Promise<McpService> | undefined;
  return new Router<ApiState>().post('/mcp', async (ctx) => {
    const message = parseMessage(await readBody(ctx, BODY_MAX_BYTES));
    service ??= import('./server.ts').then(({ createMcpService }) =>
      createMcpService(answers, deps),
    );
    const answerRequest = await service;
    const headers = new Headers(
      Object.entries(ctx.headers).map(([name, value]) => [name, String(value)]),
    );
    const closed = new AbortController();
    ctx.res.once('close', () => closed.abort());
    const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(DEADLINE_MS)]);
    const response = await answerRequest({ headers, message, state: ctx.state, signal });
    ctx.status = response.status;
    ctx.set(Object.fromEntries([...response.headers].filter(([name]) => MCP_HEADER.test(name))));
    // Tools send no events before their answer, so waiting for the end of a stream delays nothing.
    ctx.body = await response.text();
    // Overrides the setting of the endpoint that the tool called. A stream of events is not compressed, because proxies
    // may hold back compressed events.
    ctx.state.isCompressible = !ctx.response.is(EVENT_STREAM);
  });
}

/**
 * Parses one message. A list of messages is refused, because the protocol has no lists since version 2025-06-18. In a
 * list, a message that is cancelled by another message of the list would never end.
 */
function parseMessage(text: string): unknown {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw new RequestError(400, 'bad_request', 'The body is not an MCP message in JSON.');
  }
  if (Array.isArray(message)) {
    throw new RequestError(400, 'bad_request', 'Send one MCP message per request, not a list.');
  }
  return message;
}
