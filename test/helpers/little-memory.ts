import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * Calls a function of a module in a thread that has so little memory, and gives the message of its error; rejects when
 * the memory does not do.
 */
export async function errorInLittleMemory(
  module: URL,
  name: string,
  args: unknown[],
  memoryMb: number,
): Promise<string> {
  const code = `
    const { parentPort, workerData } = require('node:worker_threads');
    const { module, name, args } = workerData;
    import(module)
      .then((found) => found[name](...args))
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
