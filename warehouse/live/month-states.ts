/**
 * - `loaded`: the current version is in the warehouse.
 * - `pending`: the lake has a version that is not loaded yet.
 * - `refused`: the month was refused, and the lake has no version of it.
 * - `unbacked`: the month is loaded, but the lake does not have it; a rebuild would lose it.
 * - `damaged`: the manifest in the lake was changed. No job uses the month until its file is ingested again.
 * - `missing`: the lake does not have the month, but it has earlier and later months.
 */
export type MonthState = 'loaded' | 'pending' | 'refused' | 'unbacked' | 'damaged' | 'missing';

/** Words for the states, for terminal and pages. */
export const STATE_WORDS: Record<MonthState, string> = {
  loaded: 'loaded',
  pending: 'in the lake, not loaded',
  refused: 'refused',
  unbacked: 'loaded, but missing in the lake',
  damaged: 'damaged in the lake: ingest its file again',
  missing: 'missing',
};
