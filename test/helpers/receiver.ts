import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ExecutionContext } from 'ava';
import { listen } from './listen.ts';

/** A message as a receiver gets it. */
export type Received = {
  headers: Record<string, string>;
  body: string;
  message: { type: string; timestamp: string; data: Record<string, unknown> };
};

/** Answers a message; the default echoes challenges and accepts everything else. */
export type Respond = (received: Received, response: ServerResponse) => void;

/** Echoes the challenge of a message. */
export const echo: Respond = ({ message }, response) => {
  response.end(JSON.stringify({ challenge: message.data['challenge'] }));
};

/** Starts a receiver of watches. `respond` may be replaced while it runs. */
export async function aReceiver(t: ExecutionContext, respond: Respond = echo) {
  const received: Received[] = [];
  const receiver = { respond, received, host: '', url: '' };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const headers = request.headers as Record<string, string>;
    const one = { headers, body, message: JSON.parse(body) as Received['message'] };
    received.push(one);
    receiver.respond(one, response);
  };
  const port = await listen(t, (request, response) => void handle(request, response));
  receiver.host = `127.0.0.1:${port}`;
  receiver.url = `http://${receiver.host}/flights`;
  return receiver;
}
