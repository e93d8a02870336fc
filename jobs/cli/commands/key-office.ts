import { createKeyParams } from '../../../api/schemas/keys.ts';
import { prefixOf, UNLIMITED } from '../../../warehouse/keyring/format.ts';
import { finishedMonths, quotaMonth } from '../../../warehouse/keyring/month.ts';
import type { ListedKey } from '../../../warehouse/keyring/listed-keys.ts';
import { CommandError } from '../../errors.ts';
import type { CommandContext } from '../context.ts';
import { ago } from '../../../warehouse/ground/ago.ts';
import { moment } from '../status/times.ts';
import { count, table } from '../tables.ts';
import { endOf, graceOf } from './key-times.ts';
import { limitProblem, limitText, NO_LIMIT, nobody, showOnce, withKeys } from './keys.ts';

/** States in the words of the command. */
const SAID = {
  active: 'active',
  inactive: 'inactive',
  expired: 'ended',
  ending: 'until',
  broken: 'broken',
} as const;

/** Months that use by endpoint is shown of. */
const MONTHS_SHOWN = 6;

/** Lists all keys; never a secret, nor an e-mail address. */
export async function listKeys(context: CommandContext, isJson: boolean): Promise<number> {
  const now = context.now();
  const keys = await withKeys(context, ({ office }) => office.list(now));
  if (isJson) return printed(context, keys);
  const rows = keys.map((key) => {
    if (key.problem !== undefined) return [key.prefix, '', '', '', '', key.problem];
    const seen = key.seenAt === undefined ? 'never' : ago(key.seenAt, now);
    return [key.prefix, key.name, limitOf(key), count(key.monthCount), seen, stateOf(key)];
  });
  const head = ['prefix', 'name', 'limit', 'used', 'last seen', 'state'];
  context.out.write(rows.length === 0 ? 'There are no keys.\n' : `${table(head, rows)}\n`);
  return 0;
}

/** Shows one key: its account, and what its calls were for, month by month. */
export async function showKey(
  context: CommandContext,
  prefix: string,
  isJson: boolean,
): Promise<number> {
  const now = context.now();
  const name = prefixOf(prefix);
  const found = await withKeys(context, async ({ office }) => {
    const all = await office.list(now);
    const key = all.find((one) => one.prefix === name);
    if (key === undefined) return undefined;
    if (key.problem !== undefined) throw new CommandError(key.problem);
    const months = [...finishedMonths(new Date(ageOf(key, all)), now), quotaMonth(now).name];
    const use = await office.use(name, months.slice(-MONTHS_SHOWN));
    return { key, others: all.filter((one) => one !== key && one.account === key.account), use };
  });
  if (found?.use === undefined) throw nobody(name);
  const { key, others, use } = found;
  if (isJson) return printed(context, { ...key, others, ...use });
  const lines = [
    `${key.prefix}  ${key.name}`,
    `${stateOf(key)}, made ${moment(key.createdAt)}${key.isAdmin ? ', an admin key' : ''}`,
    `${count(key.monthCount)} of ${limitOf(key)} calls this month, ${count(key.totalRequests)} of all time`,
    ...others.map((one) => `same account: ${one.prefix}, ${stateOf(one)}`),
  ];
  const rows = Object.entries(use.calls)
    .toReversed()
    .flatMap(([month, calls]) =>
      Object.entries(calls).map(([endpoint, number]) => [month, endpoint, count(number)]),
    );
  const calls = table(['month', 'endpoint', 'calls'], rows);
  context.out.write(`${lines.join('\n')}\n${rows.length > 0 ? `${calls}\n` : ''}`);
  return 0;
}

/** Changes the limit of a key's account, from the next call on. */
export async function limitKey(
  context: CommandContext,
  { prefix, limit }: { prefix: string; limit: string },
): Promise<number> {
  const name = prefixOf(prefix);
  const monthlyLimit = limit === NO_LIMIT ? UNLIMITED : readLimit(limit);
  const isKnown = await withKeys(context, ({ office }) =>
    office.setLimit(name, monthlyLimit, context.now()),
  );
  if (!isKnown) throw nobody(name);
  context.out.write(`Key ${name} has ${limitText(monthlyLimit)} calls a month from now on.\n`);
  return 0;
}

/** Has a key end on a day, or never. */
export async function expireKey(
  context: CommandContext,
  { prefix, expires }: { prefix: string; expires: string },
): Promise<number> {
  const name = prefixOf(prefix);
  const until = expires === 'never' ? undefined : endOf(expires, context.now());
  const isKnown = await withKeys(context, ({ office }) =>
    office.setEnd(name, until, context.now()),
  );
  if (!isKnown) throw nobody(name);
  const end = until === undefined ? 'does not end' : `works until ${moment(until.toISOString())}`;
  context.out.write(`Key ${name} ${end}.\n`);
  return 0;
}

/** Makes the next key of an account; the old one works for the grace. */
export async function rotateKey(
  context: CommandContext,
  { prefix, grace }: { prefix: string; grace: string },
): Promise<number> {
  const name = prefixOf(prefix);
  const now = context.now();
  const until = new Date(now.getTime() + graceOf(grace));
  const issued = await withKeys(context, ({ office }) => office.rotate(name, until, now));
  if (issued === undefined) throw nobody(name);
  if ('refused' in issued) throw new CommandError(`Key ${name}: ${issued.refused}.`);
  showOnce(context, issued);
  context.err.write(`The old one, ${name}, works until ${moment(until.toISOString())}.\n`);
  return 0;
}

function readLimit(limit: string): number {
  const read = createKeyParams.shape.monthly_limit.safeParse(limit);
  if (read.success) return read.data;
  throw new CommandError(`${limitProblem(read.error.issues[0]?.message)}.`);
}

function limitOf({ monthlyLimit }: ListedKey): string {
  return monthlyLimit >= UNLIMITED ? NO_LIMIT : count(monthlyLimit);
}

function stateOf({ state, until, prefix, account }: ListedKey): string {
  const end = until === undefined ? '' : ` ${moment(until)}`;
  const rotated = prefix === account ? '' : `, of ${account}`;
  return `${SAID[state]}${state === 'expired' || state === 'ending' ? end : ''}${rotated}`;
}

/** When the first key of the account was made. */
function ageOf(key: ListedKey, all: ListedKey[]): string {
  return all.find(({ prefix }) => prefix === key.account)?.createdAt ?? key.createdAt;
}

function printed(context: CommandContext, value: unknown): number {
  context.out.write(`${JSON.stringify(value, null, 2)}\n`);
  return 0;
}
