import { createKeyParams } from '../../../api/schemas/keys.ts';
import { prefixOf, UNLIMITED } from '../../../warehouse/keyring/format.ts';
import { finishedMonths, quotaMonth } from '../../../warehouse/keyring/month.ts';
import type { ListedKey } from '../../../warehouse/keyring/listed-keys.ts';
import { CommandError } from '../../errors.ts';
import type { CommandContext } from '../context.ts';
import { formatAge, moment } from '../../../warehouse/ground/duration.ts';
import { count, table } from '../tables.ts';
import {
  limitProblem,
  limitText,
  NO_LIMIT,
  unknownPrefixError,
  printSecret,
  withKeys,
  parseKeyEnd,
  parseGrace,
} from './keys.ts';

/** Text for each state of a key. The date when the key ends follows `expired` and `active until`. */
const STATE_NAMES = {
  active: 'active',
  inactive: 'inactive',
  expired: 'expired',
  ending: 'active until',
  broken: 'broken',
} as const;

/** Number of months for which the calls by endpoint are shown. */
const MONTHS_SHOWN = 6;

/** Lists all keys, without secrets and e-mail addresses. */
export async function listKeys(context: CommandContext, isJson: boolean): Promise<number> {
  const now = context.now();
  const keys = await withKeys(context, ({ admin }) => admin.list(now));
  if (isJson) return printJson(context, keys);
  const rows = keys.map((key) => {
    if (key.problem !== undefined) return [key.prefix, '', '', '', '', key.problem];
    const lastCall = key.seenAt === undefined ? 'never' : formatAge(key.seenAt, now);
    return [key.prefix, key.name, limitOf(key), count(key.monthCount), lastCall, stateOf(key)];
  });
  const head = ['prefix', 'name', 'limit', 'used', 'last call', 'state'];
  context.out.write(rows.length === 0 ? 'There are no keys.\n' : `${table(head, rows)}\n`);
  return 0;
}

/** Shows one key: its account, and its calls by month and endpoint. */
export async function showKey(
  context: CommandContext,
  prefix: string,
  isJson: boolean,
): Promise<number> {
  const now = context.now();
  const name = prefixOf(prefix);
  const details = await withKeys(context, async ({ admin }) => {
    const all = await admin.list(now);
    const key = all.find((candidate) => candidate.prefix === name);
    if (key === undefined) return undefined;
    if (key.problem !== undefined) throw new CommandError(key.problem);
    const months = [...finishedMonths(new Date(accountStart(key, all)), now), quotaMonth(now).name];
    const use = await admin.use(name, months.slice(-MONTHS_SHOWN));
    const accountKeys = all.filter((other) => other !== key && other.account === key.account);
    return { key, others: accountKeys, use };
  });
  if (details?.use === undefined) throw unknownPrefixError(name);
  const { key, others, use } = details;
  if (isJson) return printJson(context, { ...key, others, ...use });
  const lines = [
    `${key.prefix}  ${key.name}`,
    `${stateOf(key)}, created ${moment(key.createdAt)}${key.isAdmin ? ', an admin key' : ''}`,
    `${count(key.monthCount)} of ${limitOf(key)} calls this month, ${count(key.totalRequests)} in total`,
    ...others.map((other) => `same account: ${other.prefix}, ${stateOf(other)}`),
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

/** Changes the monthly limit of a key's account, with immediate effect. */
export async function limitKey(
  context: CommandContext,
  { prefix, limit }: { prefix: string; limit: string },
): Promise<number> {
  const name = prefixOf(prefix);
  const monthlyLimit = limit === NO_LIMIT ? UNLIMITED : readLimit(limit);
  const exists = await withKeys(context, ({ admin }) =>
    admin.setLimit(name, monthlyLimit, context.now()),
  );
  if (!exists) throw unknownPrefixError(name);
  context.out.write(`Key ${name} now has ${limitText(monthlyLimit)} calls a month.\n`);
  return 0;
}

/** Sets or removes the time when a key expires. */
export async function expireKey(
  context: CommandContext,
  { prefix, expires }: { prefix: string; expires: string },
): Promise<number> {
  const name = prefixOf(prefix);
  const until = expires === 'never' ? undefined : parseKeyEnd(expires, context.now());
  const exists = await withKeys(context, ({ admin }) => admin.setEnd(name, until, context.now()));
  if (!exists) throw unknownPrefixError(name);
  const end = until === undefined ? 'never expires' : `works until ${moment(until.toISOString())}`;
  context.out.write(`Key ${name} ${end}.\n`);
  return 0;
}

/** Creates the next key of an account. The old key works until the grace period ends. */
export async function rotateKey(
  context: CommandContext,
  { prefix, grace }: { prefix: string; grace: string },
): Promise<number> {
  const name = prefixOf(prefix);
  const now = context.now();
  const until = new Date(now.getTime() + parseGrace(grace));
  const issued = await withKeys(context, ({ admin }) => admin.rotate(name, until, now));
  if (issued === undefined) throw unknownPrefixError(name);
  if ('refusal' in issued) throw new CommandError(`Key ${name}: ${issued.refusal}.`);
  printSecret(context, issued);
  context.err.write(`The old key ${name} works until ${moment(until.toISOString())}.\n`);
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
  const origin = prefix === account ? '' : `, account ${account}`;
  return `${STATE_NAMES[state]}${state === 'expired' || state === 'ending' ? end : ''}${origin}`;
}

/** Returns when the first key of the account was created. */
function accountStart(key: ListedKey, all: ListedKey[]): string {
  return all.find(({ prefix }) => prefix === key.account)?.createdAt ?? key.createdAt;
}

function printJson(context: CommandContext, value: unknown): number {
  context.out.write(`${JSON.stringify(value, null, 2)}\n`);
  return 0;
}
