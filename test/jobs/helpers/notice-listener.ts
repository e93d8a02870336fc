import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { Webhook } from 'standardwebhooks';
import { listen } from '../../helpers/listen.ts';

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

type ReceivedNotice = { type: string; text: string; timestamp: string };

/** How a listener answers a request: with a status, or with 204 after a wait. */
export type Answer = number | { waitMs: number };

/**
 * Starts a listener for NOTIFY_URL that verifies signatures. Returns the accepted notices and the ids of all notices.
 */
export async function aListener(t: ExecutionContext, answers: Answer[] = []) {
  const received: ReceivedNotice[] = [];
  const ids: string[] = [];
  const handleRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const answer = answers.shift() ?? 204;
    const headers = request.headers as Record<string, string>;
    ids.push(headers['webhook-id'] ?? '');
    const notice = new Webhook(SECRET).verify(body, headers) as ReceivedNotice;
    if (typeof answer === 'object') await sleep(answer.waitMs, undefined, { ref: false });
    const status = typeof answer === 'number' ? answer : 204;
    if (status < 300) received.push(notice);
    response.writeHead(status).end();
  };
  const port = await listen(t, (request, response) => void handleRequest(request, response));
  return { received, ids, answers, url: `http://127.0.0.1:${port}/hook` };
}
