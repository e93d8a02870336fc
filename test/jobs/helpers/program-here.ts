import { Writable } from 'node:stream';
import type { ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { codeVersion } from '../../../jobs/cli/program/arguments.ts';
import { readConfig } from '../../../jobs/config.ts';
import { CommandError, JobFailedError } from '../../../jobs/errors.ts';
import { startWorkers } from '../../../jobs/queue/worker.ts';
import { createSteps } from '../../../jobs/wiring/steps.ts';
import { borrowRedis } from '../../helpers/redis.ts';
import { IDLE_KEYRING } from './queue-world.ts';
import { createProgram } from '../../../jobs/cli/program/run-program.ts';

/** The result of a command. */
export type CommandResult = { code: number; out: string; err: string };

/**
 * Starts the real program and a worker with the real steps in this process, with a data folder and a borrowed Redis.
 * Use it to test what commands do and print. To test processes (signals, kills, the worker of a command) use
 * `startCommand`, which takes two seconds of CPU each time.
 */
export async function programHere(
  t: ExecutionContext,
  dataDir: string,
  env: Record<string, string> = {},
): Promise<(...args: string[]) => Promise<CommandResult>> {
  return commandsHere(await workersHere(t, dataDir, env));
}

/** Starts workers with the real steps in this process, and returns the settings for commands. */
export async function workersHere(
  t: ExecutionContext,
  dataDir: string,
  env: Record<string, string> = {},
): Promise<Record<string, string>> {
  const redis = await borrowRedis((stop) => t.teardown(stop));
  const settings = { DATA_DIR: dataDir, REDIS_URL: redis.url, ...env };
  const client = new Redis(redis.url);
  t.teardown(() => client.disconnect());
  const steps = createSteps({ ...readConfig(settings), codeVersion: await codeVersion() }, client);
  const log = pino({ level: 'silent' });
  const workers = await startWorkers(redis.url, { steps, keyring: IDLE_KEYRING, log });
  t.teardown(async () => void (await workers.close(5_000)));
  return settings;
}

/** Returns a function that runs the real program in this process with these settings and without a worker. */
export function commandsHere(
  env: Record<string, string>,
): (...args: string[]) => Promise<CommandResult> {
  return (...args) => runCommand(env, args);
}

async function runCommand(env: Record<string, string>, args: string[]): Promise<CommandResult> {
  const { context, out, err } = contextHere(env);
  let code = 0;
  const program = createProgram({
    context,
    end: (exitCode) => {
      code = exitCode;
    },
    script: '',
    runServer: () => Promise.reject(new Error('no server here')),
  });
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof JobFailedError)) throw error;
    err.write(`${error.message}\n`);
    code = error instanceof CommandError ? error.exitCode : 1;
  }
  return { code, out: out.text(), err: err.text() };
}

/** Creates the context of a command with these settings, and the streams that collect its output. */
export function contextHere(env: Record<string, string>) {
  const [out, err] = [collector(), collector()];
  const context = () => ({
    ...{ config: readConfig(env), env, out, err },
    ...{ now: () => new Date(), workerScript: '' },
  });
  return { context, out, err };
}

function collector(): Writable & { text: () => string } {
  let text = '';
  const stream = new Writable({
    write: (chunk: Buffer | string, _encoding, done) => {
      text += chunk.toString();
      done();
    },
  });
  return Object.assign(stream, { text: () => text });
}
