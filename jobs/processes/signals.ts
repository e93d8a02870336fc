const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls back on Ctrl-C and its like instead of ending the process; returns how to stop listening. */
export function onInterrupt(callback: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of SIGNALS) process.on(signal, callback);
  return () => {
    for (const signal of SIGNALS) process.off(signal, callback);
  };
}

/** Resolves with the first signal, or when the parent that started this process is gone. */
export async function untilAskedToEnd(): Promise<NodeJS.Signals | 'disconnect'> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals | 'disconnect'>();
  const ignoreSignals = onInterrupt(resolve);
  const onDisconnect = () => resolve('disconnect');
  process.once('disconnect', onDisconnect);
  // The parent may have gone before we listened; a process started without a channel has no such property.
  if ('connected' in process && !process.connected) onDisconnect();
  try {
    return await promise;
  } finally {
    ignoreSignals();
    process.off('disconnect', onDisconnect);
  }
}

/** Rejects with the reason of the signal once it is aborted, and never resolves. */
export async function aborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const fail = () => reject(signal.reason as Error);
  if (signal.aborted) fail();
  signal.addEventListener('abort', fail);
  return promise;
}
