import type { FlightForm } from './form.ts';
import type { LakeTree } from '../lake/lake.ts';

/** Tree of the lake that has the months of a form. */
export function treeOf({ kind }: Pick<FlightForm, 'kind'>): LakeTree {
  return kind === 'delay_causes' ? 'levels' : 'flights';
}
