import {
  createMcpHandler,
  fromJsonSchema,
  McpServer,
  type CallToolResult,
} from '@modelcontextprotocol/server';
import packageFile from '../../package.json' with { type: 'json' };
import type { ApiState } from '../context.ts';
import type { Call } from '../call.ts';
import type { KeyedAnswer } from '../middleware/keyed-endpoint.ts';
import { toRefusal } from '../middleware/refusal.ts';
import type { ApiDeps } from '../deps.ts';
import { listTools, queryOf } from './tools.ts';

/** A request of an agent: its headers, and the message in its body. */
export type AgentRequest = {
  headers: Headers;
  message: unknown;
  state: ApiState;
  /** Aborts the request. */
  signal: AbortSignal;
};

/** Answers requests of the Model Context Protocol over HTTP. */
export type McpService = (request: AgentRequest) => Promise<Response>;

const INSTRUCTIONS =
  'Headwind gives the risk that a flight arrives more than 30 minutes late or is cancelled. Airports and airlines ' +
  'are IATA codes, dates are YYYY-MM-DD, times are local. To find the best flight of a day, list the airlines of ' +
  'the route, then compare flights at several hours. Each tool costs calls of your API key, as the API does.';

/** The protocol package needs an address to build requests. Nothing is sent to this address. */
const OWN_ADDRESS = 'http://mcp.invalid/mcp';

/**
 * Creates the service. Each tool calls the function of an API endpoint. Keys, quota, answers and errors are therefore
 * the same as in the API. Requests share no session.
 */
export function createMcpService(
  answers: ReadonlyMap<string, KeyedAnswer>,
  { log }: Pick<ApiDeps, 'log'>,
): McpService {
  const tools = listTools().flatMap((tool) => {
    const answer = answers.get(tool.path);
    const inputSchema = fromJsonSchema<Record<string, unknown>>(tool.inputSchema);
    return answer ? [{ ...tool, answer, inputSchema }] : [];
  });
  return async ({ headers, message, state, signal }) => {
    const handler = createMcpHandler(
      () => {
        const server = new McpServer(
          { name: 'headwind', title: 'Headwind', version: packageFile.version },
          { instructions: INSTRUCTIONS },
        );
        for (const { answer, name, title, description, inputSchema } of tools) {
          server.registerTool(
            name,
            { title, description, inputSchema, annotations: READ_ONLY },
            (args) => callTool(answer, args, { headers, state, signal, log }),
          );
        }
        return server;
      },
      { maxSubscriptions: 0 },
    );
    const request = new Request(OWN_ADDRESS, {
      ...{ method: 'POST', headers: jsonHeaders(headers) },
      body: JSON.stringify(message),
      signal,
    });
    return handler.fetch(request, { parsedBody: message });
  };
}

const READ_ONLY = { readOnlyHint: true, openWorldHint: false };

type ToolCall = Pick<AgentRequest, 'headers' | 'state' | 'signal'> & Pick<ApiDeps, 'log'>;

/** Calls an endpoint. Headers that agents need, such as the remaining quota, are returned in `_meta`. */
async function callTool(
  answer: KeyedAnswer,
  args: Record<string, unknown>,
  { headers, state, signal, log }: ToolCall,
): Promise<CallToolResult> {
  const meta: Record<string, string> = {};
  const key = readKey(headers);
  if (key === undefined) return refused({ error: 'missing_api_key', message: NO_KEY }, meta);
  const call: Call = {
    query: { ...queryOf(args), api_key: key },
    // A tool must not answer 304, so conditional headers such as `If-None-Match` are ignored.
    get: (name) => (/^if-/i.test(name) ? '' : (headers.get(name) ?? '')),
    state,
    res: {
      get destroyed() {
        return signal.aborted;
      },
    },
    set: (name, value) => {
      meta[`headwind/${name.toLowerCase()}`] = value;
    },
  };
  try {
    const text = (await answer(call)) ?? '';
    const body = JSON.parse(text) as Record<string, unknown>;
    return { content: [{ type: 'text', text }], structuredContent: body, _meta: meta };
  } catch (thrown) {
    return refused(toRefusal(thrown, state, log).body, meta);
  }
}

const NO_KEY = 'Send your API key in the header Authorization: Bearer YOUR_KEY.';

function refused(body: object, meta: Record<string, string>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(body) }], isError: true, _meta: meta };
}

/** Returns the key in `Authorization: Bearer …` or `X-API-Key`; undefined without a key. */
function readKey(headers: Headers): string | undefined {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  return bearer ?? (headers.get('x-api-key') || undefined);
}

/** Removes headers about length and encoding of the body, because the body is already read and parsed. */
function jsonHeaders(headers: Headers): Headers {
  const copy = new Headers(headers);
  for (const name of ['content-length', 'transfer-encoding', 'connection', 'content-encoding']) {
    copy.delete(name);
  }
  return copy;
}
