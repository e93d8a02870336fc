/**
 * What node is started with where it serves the API; deploy/ and the Makefile have the same. The young generation may take
 * three times this: left alone it takes 200 MB of a process that needs as much in all.
 */
export const NODE_FLAGS = ['--max-semi-space-size=16'];
