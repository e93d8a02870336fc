import { createKeyParams } from '../../../api/schemas/keys.ts';
import { prefixOf, type KeyKind } from '../../../warehouse/keyring/format.ts';
import {
  createKeystore,
  type IssuedKey,
  type Keystore,
} from '../../../warehouse/keyring/keystore.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../../errors.ts';
import { connectOnce } from '../../processes/redis-client.ts';
import { openRedis } from '../../processes/redis-session.ts';

/** An operator at a terminal waits longer for a busy Redis than a caller of the API. */
const COMMAND_DEADLINE_MS = 5_000;

export type IssueKeyInput = {
  name: string;
  /** May be absent for admin keys only. */
  email?: string;
  limit?: string;
  kind: KeyKind;
  isAdmin: boolean;
};

/** Makes a key under the same rules as `/api/keys/create`; all problems are reported together. */
async function issueKey(
  { name, email, limit, kind, isAdmin }: IssueKeyInput,
  { keys, now }: { keys: Pick<Keystore, 'create'>; now: () => Date },
): Promise<IssuedKey> {
  const rules =
    isAdmin && email === undefined ? createKeyParams.omit({ email: true }) : createKeyParams;
  const read = rules.safeParse({ name, email, monthly_limit: limit });
  if (!read.success) {
    const problems = read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    throw new CommandError(problems.join('; '));
  }
  const contact = 'email' in read.data ? String(read.data.email) : '';
  const key = { name: read.data.name, email: contact, monthlyLimit: read.data.monthly_limit };
  return keys.create(key, kind, now(), isAdmin);
}

/** The key alone goes to standard output, so that scripts can take it; the reminder to standard error. */
export async function printKey(context: CommandContext, input: IssueKeyInput): Promise<number> {
  const { apiKey, monthlyLimit, prefix } = await withKeys(context, (keys) =>
    issueKey(input, { keys, now: context.now }),
  );
  context.out.write(`${apiKey}\n`);
  context.err.write(
    `Save this key now: it cannot be shown again. ${monthlyLimit} calls a month; prefix ${prefix}\n`,
  );
  return 0;
}

/** Switches the key with that prefix on or off; a whole key works too, and is not repeated in any message. */
export async function switchKey(
  context: CommandContext,
  { prefix, isActive }: { prefix: string; isActive: boolean },
): Promise<number> {
  const name = prefixOf(prefix);
  const isKnown = await withKeys(context, (keys) => keys.setActive(name, isActive, context.now()));
  if (!isKnown) throw new CommandError(`No key has the prefix "${name}".`);
  const done = isActive ? 'works again' : 'is refused from now on';
  context.out.write(`Key ${name} ${done}.\n`);
  return 0;
}

/** Opens Redis and its keys for the length of the work. */
async function withKeys<T>(
  { config }: CommandContext,
  work: (keys: Keystore) => Promise<T>,
): Promise<T> {
  const session = await openRedis(config, 'keys');
  const redis = await connectOnce(session.url, `headwind-keys-${process.pid}`);
  try {
    return await work(createKeystore(redis, COMMAND_DEADLINE_MS));
  } finally {
    redis.disconnect();
    await session.close();
  }
}
