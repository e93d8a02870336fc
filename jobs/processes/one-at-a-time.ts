/** The work, of which one of a name runs at a time: whoever asks meanwhile gets what that one gives. */
export function joined<In, Out>(
  nameOf: (input: In) => string,
  work: (input: In) => Promise<Out>,
): (input: In) => Promise<Out> {
  const underWay = new Map<string, Promise<Out>>();
  return (input) => {
    const name = nameOf(input);
    const running = underWay.get(name) ?? work(input).finally(() => underWay.delete(name));
    underWay.set(name, running);
    return running;
  };
}
