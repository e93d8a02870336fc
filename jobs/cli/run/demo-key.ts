import { execFile } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../../errors.ts';
import { apiAddress } from './health.ts';

const KEY_LIMIT = 1_000;
/** A name no mail can reach. */
const KEY_EMAIL = 'demo@headwind.example';
const KEY_SHAPE = /hw_test_[0-9A-Za-z]{32}/;
const MAKE_TIMEOUT_MS = 20_000;
const VALIDATE_TIMEOUT_MS = 5_000;

/** A working test key, kept in the data folder for the next start. */
export async function demoKey(
  context: CommandContext,
  { apiScript, redisUrl }: { apiScript: string; redisUrl: string },
): Promise<string> {
  const file = join(context.config.dataDir, 'demo-key');
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (KEY_SHAPE.test(kept) && (await isValid(context, kept))) return kept;
  const key = await makeKey(context, apiScript, redisUrl);
  await writeFile(file, `${key}\n`, { mode: 0o600 });
  // The mode above is for a new file only.
  await chmod(file, 0o600);
  return key;
}

async function isValid({ config }: CommandContext, key: string): Promise<boolean> {
  const timeout = AbortSignal.timeout(VALIDATE_TIMEOUT_MS);
  const url = `${apiAddress(config)}/api/keys/validate?api_key=${key}`;
  const answer = await fetch(url, { signal: timeout }).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.ok === true;
}

async function makeKey({ config, env }: CommandContext, apiScript: string, redisUrl: string) {
  const whose = ['--name', 'demo', '--email', KEY_EMAIL, '--limit', String(KEY_LIMIT)];
  const settings = { ...env, DATA_DIR: config.dataDir, REDIS_URL: redisUrl };
  const { stdout } = await promisify(execFile)(process.execPath, [apiScript, 'key', ...whose], {
    env: settings,
    timeout: MAKE_TIMEOUT_MS,
  }).catch((cause: Error & { stderr?: string }) => {
    throw new CommandError(`No demo key: ${cause.stderr?.trim() || cause.message}`, { cause });
  });
  const key = KEY_SHAPE.exec(stdout)?.[0];
  if (key === undefined) throw new CommandError('No demo key: the API printed none');
  return key;
}
