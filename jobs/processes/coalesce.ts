/** Wraps `work`. Concurrent calls whose inputs have equal identities share one run and the result of that run. */
export function coalesceBy<In, Out>(
  identityOf: (input: In) => string,
  work: (input: In) => Promise<Out>,
): (input: In) => Promise<Out> {
  const runs = new Map<string, Promise<Out>>();
  return (input) => {
    const identity = identityOf(input);
    const running = runs.get(identity) ?? work(input).finally(() => runs.delete(identity));
    runs.set(identity, running);
    return running;
  };
}
