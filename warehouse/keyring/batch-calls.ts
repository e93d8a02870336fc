type PendingCall<Input, Output> = {
  input: Input;
  resolve: (output: Output) => void;
  reject: (cause: unknown) => void;
};

/**
 * Sends all calls that are made in one turn of the event loop as one batch. Each call gets its own result. If the batch
 * fails, all of its calls fail. Under load, this saves most of the work of Redis calls. A single call is not delayed.
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
