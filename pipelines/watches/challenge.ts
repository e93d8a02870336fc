import { randomBytes } from 'node:crypto';
import type { ChallengeReply, ChallengeRequest } from '../../warehouse/live/watch-challenges.ts';
import { findAddressProblem, ReceiverError, type GuardedPost } from './guarded-post.ts';
import { messageBody, signedHeaders } from './signed-message.ts';

export type ChallengeDeps = {
  /** Undefined if outbound calls are switched off. */
  post: GuardedPost | undefined;
  allowedHosts: ReadonlySet<string>;
  now: () => Date;
};

const CHALLENGE_BYTES = 16;

/** Checks that a receiver wants messages: the JSON of its answer must contain the challenge. */
export async function proveAddress(
  { url, secret }: Omit<ChallengeRequest, 'id'>,
  { post, allowedHosts, now }: ChallengeDeps,
): Promise<ChallengeReply> {
  const problem = findAddressProblem(url, allowedHosts);
  if (problem !== undefined) return { outcome: 'invalid', reason: problem };
  if (!post) return { outcome: 'offline' };
  const challenge = randomBytes(CHALLENGE_BYTES).toString('hex');
  const at = now();
  const content = { type: 'watch.challenge', at: at.toISOString(), data: { challenge } };
  const body = messageBody(content);
  const headers = signedHeaders(secret, { id: `msg_${challenge}`, body, at });
  try {
    const { status, text } = await post(url, { headers, body, isBodyNeeded: true });
    if (status < 200 || status >= 300) {
      return { outcome: 'failed', reason: `the receiver answered ${status} to the challenge` };
    }
    if (hasChallenge(text, challenge)) return { outcome: 'proven' };
    return { outcome: 'failed', reason: 'the receiver did not answer with {"challenge": "…"}' };
  } catch (error) {
    if (error instanceof ReceiverError) return { outcome: 'failed', reason: error.message };
    throw error;
  }
}

function hasChallenge(answer: string, challenge: string): boolean {
  try {
    return (JSON.parse(answer) as { challenge?: unknown } | null)?.challenge === challenge;
  } catch {
    return false;
  }
}
