import type { Redis } from 'ioredis';
import {
  addSigningKey,
  generateSigningKey,
  readSigningKeys,
  revokeSigningKey,
  signingKeyAt,
  type SigningKey,
} from '../../../warehouse/live/signing-keys.ts';
import { CommandError } from '../../errors.ts';
import { connectOnce } from '../../processes/redis-client.ts';
import { openRedis } from '../../processes/redis-session.ts';
import type { CommandContext } from '../context.ts';
import { moment } from '../../../warehouse/ground/duration.ts';
import { table } from '../tables.ts';

/** Lists the keys that sign answers, newest first, without their secrets. */
export async function listSigningKeys(context: CommandContext, isJson: boolean): Promise<number> {
  const keys = await withSigningKeys(context, readSigningKeys);
  const listed = keys.toReversed().map(({ kid, createdAt, revokedAt }) => ({
    ...{ kid, createdAt, revokedAt: revokedAt ?? null },
    state: stateOf({ kid, revokedAt }, signingKeyAt(keys, context.now())),
  }));
  if (isJson) {
    context.out.write(`${JSON.stringify(listed, null, 2)}\n`);
    return 0;
  }
  const rows = listed.map(({ kid, createdAt, revokedAt, state }) => {
    const stateText = revokedAt === null ? state : `${state} ${moment(revokedAt)}`;
    return [kid, moment(createdAt), stateText];
  });
  const text = table(['key', 'created', 'state'], rows);
  context.out.write(
    `${rows.length === 0 ? 'There are no keys yet; the API creates one.' : text}\n`,
  );
  return 0;
}

/** Adds a key that will sign answers. Former keys stay published. */
export async function rotateSigningKey(context: CommandContext): Promise<number> {
  const key = generateSigningKey(context.now());
  await withSigningKeys(context, (redis) => addSigningKey(redis, key));
  const text = `The key ${key.kid} starts to sign answers in 10 minutes. Former keys still verify.`;
  context.out.write(`${text}\n`);
  return 0;
}

/**
 * Revokes a key. The key is no longer published, so its signatures are no longer valid. If the key signed answers, a
 * new key replaces it.
 */
export async function revokeKey(context: CommandContext, kid: string): Promise<number> {
  const now = context.now();
  const next = await withSigningKeys(context, async (redis) => {
    const keys = await readSigningKeys(redis);
    if (keys.every((key) => key.kid !== kid)) throw unknownKey(kid, keys);
    const isSigning = signingKeyAt(keys, now)?.kid === kid;
    if (!(await revokeSigningKey(redis, kid, now))) {
      throw new CommandError(`The key ${kid} is already revoked. Nothing has changed.`);
    }
    if (isSigning) await addSigningKey(redis, generateSigningKey(now));
    return signingKeyAt(await readSigningKeys(redis), now);
  });
  context.out.write(
    `The key ${kid} is revoked: answers that it signed can no longer be verified. Every API removes the key within 10 seconds; ` +
      `caches of the published keys keep it for up to 5 minutes.\nAnswers are now signed with ${next?.kid}.\n`,
  );
  return 0;
}

function stateOf(
  { kid, revokedAt }: Pick<SigningKey, 'kid'> & { revokedAt: string | undefined },
  signing: SigningKey | undefined,
): string {
  if (revokedAt !== undefined) return 'revoked';
  return kid === signing?.kid ? 'signs answers' : 'verifies';
}

function unknownKey(kid: string, keys: SigningKey[]): CommandError {
  const list = keys.map((key) => key.kid).join(', ');
  return new CommandError(`There is no key ${kid}. The keys are: ${list}.`);
}

/** Runs `work` with a connection to the Redis that has the signing keys. */
export async function withSigningKeys<T>(
  { config }: CommandContext,
  work: (redis: Redis) => Promise<T>,
): Promise<T> {
  const session = await openRedis(config, 'signing-keys');
  const redis = await connectOnce(session.url, `headwind-signing-${process.pid}`);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
    await session.close();
  }
}
