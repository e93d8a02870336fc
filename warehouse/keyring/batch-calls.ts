type PendingCall<Input, Output> = {
  input: Input;
  resolve: (output: Output) => void;
  reject: (cause: unknown) => void;
};

/**
 * Batches all calls made in one turn of the event loop. Each call gets its own result; if the batch fails, all calls of
 * the batch fail. Under load, batching saves most of the work of Redis calls. Batching does not delay a single call.
 */
export function batchCalls<Input, Output>(
  runBatch: (inputs: Input[]) => Promise<Output[]>,
): (input: Input) => Promise<Output> {
  let pending: PendingCall<Input, Output>[] = [];
  const flush = () => {
    const batch = pending;
    pending = [];
    Promise.try(
      runBatch,
      batch.map(({ input }) => input),
    ).then(
      (outputs) => batch.forEach(({ resolve }, at) => resolve(outputs[at] as Output)),
      (cause: unknown) => batch.forEach(({ reject }) => reject(cause)),
    );
  };
  return (input) =>
    new Promise((resolve, reject) => {
      if (pending.length === 0) setImmediate(flush);
      pending.push({ input, resolve, reject });
    });
}
