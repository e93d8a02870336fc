/**
 * `loaded`: the warehouse holds what the lake holds. `pending`: the lake holds something the warehouse does not.
 * `refused`: there is nothing but a file whose month was refused. `unbacked`: loaded, but gone from the lake,
 * so that a rebuild would lose it. `damaged`: what the lake says of it is not what was written; no job takes it until its
 * file is ingested again. `missing`: a month between others that nobody brought.
 */
export type MonthState = 'loaded' | 'pending' | 'refused' | 'unbacked' | 'damaged' | 'missing';

/** The states in words, for terminal and pages alike. */
export const STATE_WORDS: Record<MonthState, string> = {
  loaded: 'loaded',
  pending: 'in the lake, not loaded',
  refused: 'refused',
  unbacked: 'loaded, but gone from the lake',
  damaged: 'damaged in the lake: ingest its file again',
  missing: 'missing',
};
