/**
 * What node is started with where it serves the API; deploy/ and the Makefile have the same. The young generation takes
 * two to three times this: left alone it grows to 130 MB of a process that needs 200 in all, and once the collector has made it
 * small, it would be collected all the time.
 */
export const NODE_FLAGS = ['--max-semi-space-size=16', '--min-semi-space-size=16'];
