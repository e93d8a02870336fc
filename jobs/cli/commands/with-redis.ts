import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../../errors.ts';
import { openRedis } from '../../processes/redis-session.ts';
import { onInterrupt } from '../../processes/signals.ts';

/** Runs a command with `REDIS_URL` set to a Redis that runs, and gives its exit code (128 + signal when killed). */
export async function withRedis(context: CommandContext, command: string[]): Promise<number> {
  const [program, ...args] = command;
  if (program === undefined) throw new CommandError('with-redis needs a command to run');
  const redis = await openRedis(context.config, 'with-redis');
  try {
    const env = { ...context.env, REDIS_URL: redis.url };
    const child = spawn(program, args, { env, stdio: 'inherit' });
    // A Ctrl-C reaches the command too; how it ends is for the command to say.
    const ignoreSignals = onInterrupt((signal) => {
      if (signal !== 'SIGINT') child.kill(signal);
    });
    try {
      return await exitCodeOf(child, program);
    } finally {
      ignoreSignals();
    }
  } finally {
    await redis.close();
  }
}

async function exitCodeOf(child: ReturnType<typeof spawn>, program: string): Promise<number> {
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return code ?? 128 + constants.signals[signal ?? 'SIGKILL'];
  } catch (cause) {
    throw new CommandError(`${program} cannot be run: ${(cause as Error).message}`, { cause });
  }
}
