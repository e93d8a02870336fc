import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { Webhook } from 'standardwebhooks';

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

type Got = { type: string; text: string; timestamp: string };

/** What a listener does with the next requests: the status it answers with, or how many ms it lets them wait. */
export type Answer = number | { waitMs: number };

/** What NOTIFY_URL got and took, each checked to be signed, and the ids of all that came; 204 where no answer is planned. */
export async function aListener(t: ExecutionContext, answers: Answer[] = []) {
  const got: Got[] = [];
  const ids: string[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const answer = answers.shift() ?? 204;
    const headers = request.headers as Record<string, string>;
    ids.push(headers['webhook-id'] ?? '');
    const notice = new Webhook(SECRET).verify(body, headers) as Got;
    if (typeof answer === 'object') await sleep(answer.waitMs, undefined, { ref: false });
    const status = typeof answer === 'number' ? answer : 204;
    if (status < 300) got.push(notice);
    response.writeHead(status).end();
  };
  const server = createServer((request, response) => void take(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { got, ids, answers, url: `http://127.0.0.1:${port}/hook` };
}
