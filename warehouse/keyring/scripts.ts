import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';

/** A call to be checked and counted: where its key and its count of the month are, and what it costs. */
export type AdmitCall = { key: string; usage: string; cost: number; atMs: number };

/** Answer of admit.lua to a call: numbers as numbers, flags as '1' or '0'; `broken` is a record that makes no sense, and what of it. */
export type AdmitReply = [verdict: 'invalid'] | [verdict: 'broken', what?: string] | AdmitVerdict;
type AdmitVerdict = [
  verdict: 'admitted' | 'over',
  limit: number,
  used: number,
  prefix: string,
  admin: string,
];

export type KeyScripts = {
  /** One after the other, in one round trip. */
  admit: (calls: AdmitCall[]) => Promise<AdmitReply[]>;
  refund: (key: string, usage: string, cost: number) => Promise<number>;
};

const ADMIT = scriptOf('admit.lua');
const REFUND = scriptOf('refund.lua');

/** Makes the scripts of this folder commands of the connection: sent by name, and whole once to each new connection. */
export function defineScripts(redis: Redis): KeyScripts {
  redis.defineCommand('hwAdmit', { lua: ADMIT });
  redis.defineCommand('hwRefund', { lua: REFUND, numberOfKeys: 2 });
  const commands = redis as unknown as {
    hwAdmit: (keyCount: number, ...keysAndArguments: (string | number)[]) => Promise<AdmitReply[]>;
    hwRefund: KeyScripts['refund'];
  };
  return {
    admit: (calls) =>
      commands.hwAdmit(
        2 * calls.length,
        ...calls.flatMap(({ key, usage }) => [key, usage]),
        ...calls.flatMap(({ cost, atMs }) => [cost, atMs]),
      ),
    refund: (key, usage, cost) => commands.hwRefund(key, usage, cost),
  };
}

/** A script of this folder, with what all of them share. */
export function scriptOf(file: `${string}.lua`): string {
  const [shared, own] = ['record.lua', file].map((name) =>
    readFileSync(new URL(name, import.meta.url), 'utf8'),
  );
  return `${shared}\n${own}`;
}
