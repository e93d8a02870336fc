/**
 * Flags of node for API processes. deploy/ and the Makefile use the same flags. The young generation of node's heap
 * takes two to three times the semi-space size. Without a maximum, the young generation grows to 130 MB in a process
 * that needs 200 MB in all. Without a minimum, the collector shrinks the young generation, and then has to collect all
 * the time. Without `--no-minor-gc-task`, the collector already starts when the young generation is 80 % full. It can
 * then start at every turn of the event loop, although a turn computes only a few scores.
 */
export const NODE_FLAGS = [
  '--max-semi-space-size=16',
  '--min-semi-space-size=16',
  '--no-minor-gc-task',
];
