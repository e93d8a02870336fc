import { createKeyParams } from '../../../api/schemas/keys.ts';
import { prefixOf, UNLIMITED, type KeyKind } from '../../../warehouse/keyring/format.ts';
import { createKeyOffice, type KeyOffice } from '../../../warehouse/keyring/office.ts';
import {
  createKeystore,
  type IssuedKey,
  type Keystore,
} from '../../../warehouse/keyring/keystore.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../../errors.ts';
import { connectOnce } from '../../processes/redis-client.ts';
import { openRedis } from '../../processes/redis-session.ts';
import { endOf } from './key-times.ts';

/** An operator at a terminal waits longer for a busy Redis than a caller of the API. */
const COMMAND_DEADLINE_MS = 5_000;

/** A limit that is none, as operators write it. */
export const NO_LIMIT = 'unlimited';

export type IssueKeyInput = {
  name: string;
  /** May be absent for admin keys only. */
  email?: string;
  /** A number of calls, or `unlimited`. */
  limit?: string;
  /** A date or moment; the key never ends without one. */
  expires?: string;
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
  const isUnlimited = limit === NO_LIMIT;
  const read = rules.safeParse({ name, email, monthly_limit: isUnlimited ? undefined : limit });
  if (!read.success) {
    const problems = read.error.issues.map(({ path, message }) =>
      path[0] === 'monthly_limit' ? limitProblem(message) : `${path.join('.')} ${message}`,
    );
    throw new CommandError(problems.join('; '));
  }
  const contact = 'email' in read.data ? String(read.data.email) : '';
  const monthlyLimit = isUnlimited ? UNLIMITED : read.data.monthly_limit;
  return keys.create({ name: read.data.name, email: contact, monthlyLimit }, kind, now(), isAdmin);
}

/** What is wrong with a limit, in the words of the command. */
export function limitProblem(message: string = 'is no number'): string {
  return `LIMIT ${message}, or ${NO_LIMIT}`;
}

/** The key alone goes to standard output, so that scripts can take it; the reminder to standard error. */
export async function printKey(context: CommandContext, input: IssueKeyInput): Promise<number> {
  const { now } = context;
  const until = input.expires === undefined ? undefined : endOf(input.expires, now());
  const issued = await withKeys(context, async ({ keys, office }) => {
    const key = await issueKey(input, { keys, now });
    if (until) await office.setEnd(key.prefix, until, now());
    return key;
  });
  showOnce(context, issued);
  return 0;
}

/** The secret alone on standard output, and what to do with it on standard error. */
export function showOnce({ out, err }: CommandContext, issued: IssuedKey): void {
  out.write(`${issued.apiKey}\n`);
  const calls = limitText(issued.monthlyLimit);
  err.write(
    `Save this key now: it cannot be shown again. ${calls} calls a month; prefix ${issued.prefix}\n`,
  );
}

/** A limit for people. */
export function limitText(monthlyLimit: number): string {
  return monthlyLimit >= UNLIMITED ? NO_LIMIT : String(monthlyLimit);
}

/** Switches the key with that prefix on or off; a whole key works too, and is not repeated in any message. */
export async function switchKey(
  context: CommandContext,
  { prefix, isActive }: { prefix: string; isActive: boolean },
): Promise<number> {
  const name = prefixOf(prefix);
  const isKnown = await withKeys(context, ({ keys }) =>
    keys.setActive(name, isActive, context.now()),
  );
  if (!isKnown) throw nobody(name);
  const done = isActive ? 'works again' : 'is refused from now on';
  context.out.write(`Key ${name} ${done}.\n`);
  return 0;
}

/** No key has the prefix. */
export function nobody(prefix: string): CommandError {
  return new CommandError(`No key has the prefix "${prefix}".`);
}

type Keys = { keys: Keystore; office: KeyOffice };

/** Opens Redis and its keys for the length of the work. */
export async function withKeys<T>(
  { config }: CommandContext,
  work: (keys: Keys) => Promise<T>,
): Promise<T> {
  const session = await openRedis(config, 'keys');
  const redis = await connectOnce(session.url, `headwind-keys-${process.pid}`);
  try {
    const { replicas } = config;
    const keys = createKeystore(redis, { deadlineMs: COMMAND_DEADLINE_MS, replicas });
    return await work({ keys, office: createKeyOffice(redis, replicas) });
  } finally {
    redis.disconnect();
    await session.close();
  }
}
