/** The work, which runs once at a time for each identity: equal inputs that come meanwhile share the run under way. */
export function joined<In, Out>(
  identityOf: (input: In) => string,
  work: (input: In) => Promise<Out>,
): (input: In) => Promise<Out> {
  const underWay = new Map<string, Promise<Out>>();
  return (input) => {
    const identity = identityOf(input);
    const running = underWay.get(identity) ?? work(input).finally(() => underWay.delete(identity));
    underWay.set(identity, running);
    return running;
  };
}
