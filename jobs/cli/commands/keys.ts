import { createKeyParams } from '../../../api/schemas/keys.ts';
import { prefixOf, UNLIMITED, type KeyKind } from '../../../warehouse/keyring/format.ts';
import { createKeyAdmin, type KeyAdmin } from '../../../warehouse/keyring/key-admin.ts';
import {
  createKeystore,
  type IssuedKey,
  type Keystore,
} from '../../../warehouse/keyring/keystore.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../../errors.ts';
import { connectOnce } from '../../processes/redis-client.ts';
import { openRedis } from '../../processes/redis-session.ts';

/** Operators at a terminal can wait longer for a busy Redis than callers of the API. */
const COMMAND_DEADLINE_MS = 5_000;

/** The word for "no limit". */
export const NO_LIMIT = 'unlimited';

export type IssueKeyInput = {
  name: string;
  /** Optional for admin keys only. */
  email?: string;
  /** A number of calls, or `unlimited`. */
  limit?: string;
  /** Day or moment when the key expires. If absent, the key never expires. */
  expires?: string;
  kind: KeyKind;
  isAdmin: boolean;
};

/** Creates a key under the rules of `/api/keys/create`. Throws one `CommandError` with all problems. */
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

/** Formats the message about an invalid limit for the command line. */
export function limitProblem(message: string = 'is not a number'): string {
  return `LIMIT ${message}, or ${NO_LIMIT}`;
}

/** Creates a key and prints its secret. */
export async function printKey(context: CommandContext, input: IssueKeyInput): Promise<number> {
  const { now } = context;
  const until = input.expires === undefined ? undefined : parseKeyEnd(input.expires, now());
  const issued = await withKeys(context, async ({ keys, admin }) => {
    const key = await issueKey(input, { keys, now });
    if (until) await admin.setEnd(key.prefix, until, now());
    return key;
  });
  printSecret(context, issued);
  return 0;
}

/**
 * Prints the secret, and nothing else, to standard output, so that scripts can read it. Prints the reminder to standard
 * error.
 */
export function printSecret({ out, err }: CommandContext, issued: IssuedKey): void {
  out.write(`${issued.apiKey}\n`);
  const calls = limitText(issued.monthlyLimit);
  err.write(
    `Save this key now; it cannot be shown again. Limit: ${calls} calls a month. Prefix: ${issued.prefix}\n`,
  );
}

/** Formats a limit for people. */
export function limitText(monthlyLimit: number): string {
  return monthlyLimit >= UNLIMITED ? NO_LIMIT : String(monthlyLimit);
}

/** Activates or deactivates the key with this prefix. Accepts a whole key too; messages show only its prefix. */
export async function switchKey(
  context: CommandContext,
  { prefix, isActive }: { prefix: string; isActive: boolean },
): Promise<number> {
  const name = prefixOf(prefix);
  const exists = await withKeys(context, ({ keys }) =>
    keys.setActive(name, isActive, context.now()),
  );
  if (!exists) throw unknownPrefixError(name);
  context.out.write(`Key ${name} is ${isActive ? 'active again' : 'deactivated'}.\n`);
  return 0;
}

/** Returns the error for a prefix that no key has. */
export function unknownPrefixError(prefix: string): CommandError {
  return new CommandError(`No key has the prefix "${prefix}". To list keys: make keys`);
}

type Keys = { keys: Keystore; admin: KeyAdmin };

/** Opens Redis, runs `work` with the keys in Redis, and closes Redis. */
export async function withKeys<T>(
  { config }: CommandContext,
  work: (keys: Keys) => Promise<T>,
): Promise<T> {
  const session = await openRedis(config, 'keys');
  const redis = await connectOnce(session.url, `headwind-keys-${process.pid}`);
  try {
    const { replicas } = config;
    const keys = createKeystore(redis, { deadlineMs: COMMAND_DEADLINE_MS, replicas });
    return await work({ keys, admin: createKeyAdmin(redis, replicas) });
  } finally {
    redis.disconnect();
    await session.close();
  }
}

const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z)?$/;

/**
 * Parses the time when a key expires. The text is a moment in ISO 8601, or a day, which means the start of this day in
 * UTC. Throws if the time is not in the future.
 */
export function parseKeyEnd(text: string, now: Date): Date {
  const at = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  // `Date.parse` reads a day that does not exist, such as 02-30, as a day of the next month.
  const isReal = !Number.isNaN(at) && new Date(at).toISOString().startsWith(text.slice(0, 10));
  if (!isReal) throw new CommandError(`EXPIRES="${text}" is not a day such as 2027-01-01.`);
  if (at <= now.getTime()) throw new CommandError(`EXPIRES=${text} is in the past.`);
  return new Date(at);
}

/** Parses a duration such as `7d`, `12h`, `30m` or `0` into milliseconds. */
export function parseGrace(text: string): number {
  if (text === '0') return 0;
  const [, number, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  if (number === undefined || unit === undefined) {
    throw new CommandError(`GRACE="${text}" is not a time such as 7d, 12h, 30m or 0.`);
  }
  return Number(number) * (UNIT_MS[unit] ?? 0);
}
