import type { Problem } from '../views/page.ts';
import { loadAnswer, saveAnswer } from './saved-answers.ts';

/** Result of a request. If the network fails, this is a saved answer or `offline`. */
export type Outcome =
  | { kind: 'answer'; data: object }
  | { kind: 'saved'; data: object; at: number }
  | { kind: 'problem'; problem: Problem }
  | { kind: 'offline' };

/** Time limit for a request, much longer than any answer takes. */
const TIMEOUT_MS = 15_000;

/** Fetches an endpoint of this site and saves the answer for offline use. Rejects if the signal aborts the request. */
export async function fetchEndpoint(
  address: string,
  signal: AbortSignal,
  { isSaved = true } = {},
): Promise<Outcome> {
  try {
    const answer = await fetch(address, {
      headers: { Accept: 'application/json' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const body = (await answer.json()) as Record<string, unknown>;
    if (answer.ok) {
      if (isSaved) void saveAnswer(address, body);
      return { kind: 'answer', data: body };
    }
    const { message, param, request_id: requestId } = body;
    const problem: Problem = { status: answer.status, message: String(message) };
    if (typeof param === 'string') problem.param = param;
    if (typeof requestId === 'string') problem.requestId = requestId;
    return { kind: 'problem', problem };
  } catch {
    signal.throwIfAborted();
    const saved = await loadAnswer(address);
    return saved ? { kind: 'saved', ...saved } : { kind: 'offline' };
  }
}
