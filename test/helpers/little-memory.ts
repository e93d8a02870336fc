import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * Calls a function of a module in a thread with this much memory, and returns the message of its error; rejects if the
 * thread runs out of memory.
 */
export async function errorWithLittleMemory(
  module: URL,
  name: string,
  args: unknown[],
  memoryMb: number,
): Promise<string> {
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    const { module, name, args } = workerData;
    import(module)
      .then((loaded) => loaded[name](...args))
      .then(() => 'no error', (error) => error.message)
      .then((message) => parentPort.postMessage(message));`;
  const thread = new Worker(code, {
    eval: true,
    workerData: { module: module.href, name, args },
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  const [message] = (await once(thread, 'message')) as [string];
  await thread.terminate();
  return message;
}
