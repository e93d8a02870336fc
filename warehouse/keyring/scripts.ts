import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';

/** A call to check and count. `key` and `usage` are the names of the API key's record and monthly count in Redis. */
export type AdmitCall = { key: string; usage: string; cost: number; atMs: number };

/** Reply of admit.lua for a call. Flags are '1' or '0'. If the record is invalid, the reply names the invalid field. */
export type AdmitReply = [verdict: 'invalid'] | [verdict: 'broken', field?: string] | AdmitVerdict;
type AdmitVerdict = [verdict: 'admitted' | 'over', limit: number, used: number, admin: string];

export type KeyScripts = {
  /** Checks and counts calls in order, in one round trip. */
  admit: (calls: AdmitCall[]) => Promise<AdmitReply[]>;
  refund: (key: string, usage: string, cost: number) => Promise<number>;
};

const ADMIT = loadScript('admit.lua');
const REFUND = loadScript('refund.lua');

/**
 * Defines the scripts as commands of the connection. ioredis sends the text of a script once per connection, and then
 * only its hash.
 */
export function defineScripts(redis: Redis): KeyScripts {
  redis.defineCommand('hwAdmit', { lua: ADMIT });
  redis.defineCommand('hwRefund', { lua: REFUND, numberOfKeys: 2 });
  const commands = redis as unknown as {
    hwAdmit: (keyCount: number, ...keysAndArguments: (string | number)[]) => Promise<string>;
    hwRefund: KeyScripts['refund'];
  };
  return {
    admit: async (calls) => {
      const replies = await commands.hwAdmit(
        2 * calls.length,
        ...calls.flatMap(({ key, usage }) => [key, usage]),
        ...calls.flatMap(({ cost, atMs }) => [cost, atMs]),
      );
      return JSON.parse(replies) as AdmitReply[];
    },
    refund: (key, usage, cost) => commands.hwRefund(key, usage, cost),
  };
}

/** Reads a script of this folder and puts the shared functions before it. */
export function loadScript(file: `${string}.lua`): string {
  const [shared, own] = ['record.lua', file].map((name) =>
    readFileSync(new URL(name, import.meta.url), 'utf8'),
  );
  return `${shared}\n${own}`;
}
