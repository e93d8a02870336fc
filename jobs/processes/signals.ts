const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls `callback` on SIGINT, SIGTERM and SIGHUP. These signals then do not end the process. Returns a function that
 * stops listening.
 */
export function onInterrupt(callback: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of SIGNALS) process.on(signal, callback);
  return () => {
    for (const signal of SIGNALS) process.off(signal, callback);
  };
}

/** Waits for the first signal, or until the parent of this process has ended. */
export async function waitForShutdown(): Promise<NodeJS.Signals | 'disconnect'> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals | 'disconnect'>();
  const ignoreSignals = onInterrupt(resolve);
  const onDisconnect = () => resolve('disconnect');
  process.once('disconnect', onDisconnect);
  // The parent may have ended before this listener was added. A process without a parent channel has no `connected`.
  if ('connected' in process && !process.connected) onDisconnect();
  try {
    return await promise;
  } finally {
    ignoreSignals();
    process.off('disconnect', onDisconnect);
  }
}

/** Rejects with the reason of `signal` once `signal` is aborted; never resolves. */
export async function rejectOnAbort(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const fail = () => reject(signal.reason as Error);
  if (signal.aborted) fail();
  signal.addEventListener('abort', fail);
  return promise;
}
