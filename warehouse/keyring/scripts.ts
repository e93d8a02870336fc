import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';

/** Answer of admit.lua: numbers as numbers, flags as '1' or '0'. */
export type AdmitReply = [verdict: 'invalid'] | AdmitVerdict;
type AdmitVerdict = [
  verdict: 'admitted' | 'over',
  limit: number,
  used: number,
  prefix: string,
  admin: string,
];

export type KeyScripts = {
  admit: (key: string, usage: string, cost: number, atMs: number) => Promise<AdmitReply>;
  refund: (key: string, usage: string, cost: number) => Promise<number>;
};

const ADMIT = readFileSync(new URL('admit.lua', import.meta.url), 'utf8');
const REFUND = readFileSync(new URL('refund.lua', import.meta.url), 'utf8');

/** Makes the scripts of this folder commands of the connection: sent by name, and whole once to each new connection. */
export function defineScripts(redis: Redis): KeyScripts {
  redis.defineCommand('hwAdmit', { lua: ADMIT, numberOfKeys: 2 });
  redis.defineCommand('hwRefund', { lua: REFUND, numberOfKeys: 2 });
  const commands = redis as unknown as {
    hwAdmit: KeyScripts['admit'];
    hwRefund: KeyScripts['refund'];
  };
  return {
    admit: (key, usage, cost, atMs) => commands.hwAdmit(key, usage, cost, atMs),
    refund: (key, usage, cost) => commands.hwRefund(key, usage, cost),
  };
}
