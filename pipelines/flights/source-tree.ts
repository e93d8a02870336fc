import type { LakeTree } from '../../warehouse/lake/lake.ts';

/**
 * Whether a source, or its report, belongs to the delay-cause table. The lake stores months of this table separately
 * from flights.
 */
export function isDelayCauses({ form }: { form: string }): boolean {
  return form === 'delay_causes';
}

/** Returns the folder tree of the lake that stores the months of a source. */
export function treeOfSource(source: { form: string }): LakeTree {
  return isDelayCauses(source) ? 'levels' : 'flights';
}
