/**
 * - `loaded`: the current version is in the warehouse.
 * - `pending`: the lake has a version that is not loaded.
 * - `refused`: the month was refused and no version exists.
 * - `unbacked`: the month is loaded, but missing in the lake; a rebuild would lose the month.
 * - `damaged`: the manifest in the lake was changed; no job uses the month until its file is ingested again.
 * - `missing`: the month is a gap between other months.
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
