import cluster from 'node:cluster';
import { Command } from 'commander';
import { readConfig, type Config } from './config.ts';
import { ConfigError, RedisAwayError, WorkerFailedError } from './errors.ts';
import { issueKey, KeyCommandError, switchKey } from './keys/commands.ts';
import { createKeystore, type Keystore } from './keys/keystore.ts';
import { connectRedis, untilReady } from './keys/redis.ts';
import type { RunningApi } from './server/serve.ts';

/** After this the process ends whatever still runs; supervisors are promised 3 s. */
const STOP_MAX_MS = 2_900;
const REDIS_WAIT_MS = 3_000;

/** An operator at a terminal waits longer for a busy Redis than a caller of the API. */
const COMMAND_DEADLINE_MS = 5_000;

const program = new Command('headwind-api').description('The Headwind API and its keys');

program
  .command('serve', { isDefault: true })
  .description('answer requests until told to stop')
  .action(runServer);

program
  .command('key')
  .description('make a key and print it, once')
  .requiredOption('--name <name>', 'label of the key')
  .requiredOption('--email <email>', 'contact address')
  .option('--limit <calls>', 'calls per calendar month (100)')
  .option('--live', 'a production key (hw_live_) instead of a test key (hw_test_)')
  .action((options: { name: string; email: string; limit?: string; live?: true }) =>
    printKey({ ...options, kind: options.live ? 'live' : 'test', isAdmin: false }),
  );

program
  .command('admin-key')
  .description('make a key that may create keys, and print it, once')
  .requiredOption('--name <name>', 'label of the key')
  .option('--email <email>', 'contact address')
  .action((options: { name: string; email?: string }) =>
    printKey({ ...options, kind: 'live', isAdmin: true }),
  );

for (const [command, isActive, done] of [
  ['key-deactivate', false, 'is refused from now on'],
  ['key-activate', true, 'works again'],
] as const) {
  program
    .command(command)
    .description(isActive ? 'let a key work again' : 'refuse a key from now on')
    .requiredOption('--prefix <prefix>', 'first 14 characters of the key')
    .action(async ({ prefix }: { prefix: string }) => {
      await withKeystore((keys) => switchKey(prefix, isActive, { keys, now: () => new Date() }));
      process.stdout.write(`Key ${prefix.slice(0, 14)} ${done}.\n`);
    });
}

try {
  await program.parseAsync();
} catch (error) {
  if (!isForOperator(error)) {
    throw error;
  }
  // A worker has said it on the same standard error.
  if (!(error instanceof WorkerFailedError)) process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
  // The channel to the process that runs it would keep a worker alive.
  cluster.worker?.disconnect();
}

async function runServer(): Promise<void> {
  const config = readConfig(process.env);
  try {
    const api = await startServing(config);
    // A supervisor waits for this before it calls us up.
    process.send?.({ type: 'listening', port: api.port });
    let isStopping = false;
    const stop = () => {
      // A Ctrl-C reaches workers twice: from the terminal, and from the process that runs them.
      if (isStopping) return;
      isStopping = true;
      setTimeout(() => process.exit(1), STOP_MAX_MS).unref();
      void api.close().finally(() => process.exit(0));
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  } catch (error) {
    throw portProblem(error, config) ?? error;
  }
}

/** Answers in this process, or, when several are asked for, runs them and answers nothing itself. */
async function startServing(config: Config): Promise<RunningApi> {
  // Loaded here, so that the key commands start without what only a server needs.
  if (config.workers === 1 || cluster.isWorker) {
    return (await import('./server/serve.ts')).serve(config);
  }
  const [{ startWorkers }, { openLog }] = [
    await import('./server/workers.ts'),
    await import('./server/log.ts'),
  ];
  return startWorkers(config.workers, openLog(config.logLevel));
}

type PrintKeyInput = {
  name: string;
  email?: string;
  limit?: string;
  kind: 'live' | 'test';
  isAdmin: boolean;
};

/** The key alone goes to standard output, so that scripts can take it; the reminder to standard error. */
async function printKey({ name, email, limit, kind, isAdmin }: PrintKeyInput): Promise<void> {
  const issued = await withKeystore((keys) =>
    issueKey({ name, email, limit, kind, isAdmin }, { keys, now: () => new Date() }),
  );
  process.stdout.write(`${issued.apiKey}\n`);
  process.stderr.write(
    `Save this key now: it cannot be shown again. ${issued.monthlyLimit} calls a month; prefix ${issued.prefix}\n`,
  );
}

async function withKeystore<T>(use: (keys: Keystore) => Promise<T>): Promise<T> {
  const config = readConfig(process.env);
  const redis = connectRedis(config.redisUrl);
  try {
    if (!(await untilReady(redis, REDIS_WAIT_MS))) {
      throw new RedisAwayError('No Redis answers at REDIS_URL. Start it, or correct REDIS_URL.');
    }
    return await use(createKeystore(redis, COMMAND_DEADLINE_MS));
  } finally {
    redis.disconnect();
  }
}

function portProblem(error: unknown, { port, host }: Config): Error | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    const other = port === 65_535 ? port - 1 : port + 1;
    return new ConfigError(
      `Port ${port} on ${host} is taken. Stop what uses it, or choose another: PORT=${other}`,
    );
  }
  if (code === 'EACCES') {
    return new ConfigError(`Port ${port} needs privileges. Choose one above 1023: PORT=8080`);
  }
  return undefined;
}

function isForOperator(error: unknown): error is Error {
  return [ConfigError, KeyCommandError, RedisAwayError, WorkerFailedError].some(
    (kind) => error instanceof kind,
  );
}
