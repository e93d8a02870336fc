import type { Problem } from '../views/page.ts';
import { recall, remember } from './seen.ts';

/** What came of a question: an answer, a refusal in words; without the network what was answered before, or nothing. */
export type Outcome =
  | { kind: 'answer'; data: object }
  | { kind: 'seen'; data: object; at: number }
  | { kind: 'problem'; problem: Problem }
  | { kind: 'offline' };

/** Longer than any answer takes that will still come. */
const PATIENCE_MS = 15_000;

/** Asks an endpoint of this site; the signal gives the question up, and rejects. */
export async function ask(address: string, signal: AbortSignal): Promise<Outcome> {
  try {
    const answer = await fetch(address, {
      headers: { Accept: 'application/json' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
    const body = (await answer.json()) as Record<string, unknown>;
    if (answer.ok) {
      void remember(address, body);
      return { kind: 'answer', data: body };
    }
    const { message, param, request_id: requestId } = body;
    const problem: Problem = { status: answer.status, message: String(message) };
    if (typeof param === 'string') problem.param = param;
    if (typeof requestId === 'string') problem.requestId = requestId;
    return { kind: 'problem', problem };
  } catch {
    signal.throwIfAborted();
    const seen = await recall(address);
    return seen ? { kind: 'seen', ...seen } : { kind: 'offline' };
  }
}
