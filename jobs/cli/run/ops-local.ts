import type { Env } from '../../config.ts';

const LOOPBACK: readonly string[] = ['127.0.0.1', '::1', 'localhost'];

/**
 * `OPS_LOCAL` of the API that `make run` starts: as it is set, otherwise 1 where nobody but programs of this machine is meant
 * to call. Who puts a proxy before it says so by `TRUST_PROXY`, and has everybody log in.
 */
export function opsLocalOf(host: string, env: Env): string {
  const isSet = env['OPS_LOCAL'] !== undefined && env['OPS_LOCAL'] !== '';
  if (isSet) return env['OPS_LOCAL'] ?? '';
  const isBehindProxy = env['TRUST_PROXY'] !== undefined && env['TRUST_PROXY'] !== '';
  return LOOPBACK.includes(host) && !isBehindProxy ? '1' : '0';
}
