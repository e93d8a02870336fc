import type { Frame } from '../page.ts';
import type { Rated } from './places-data.ts';
import { ratedList } from './rated-list.ts';

export type RatedEnds = {
  id: string;
  what: string;
  note: string;
  /** The least late first: all, or as many of either end. */
  rated: readonly Rated[];
  /** How many there are. */
  all: number;
};

/** A short list as one picture, a long one as its best and its worst. */
export function ratedEnds({ id, what, note, rated, all }: RatedEnds, frame: Frame) {
  if (rated.length === all) {
    return ratedList({ id, title: `${what}, compared with their like`, note, rated }, frame);
  }
  const each = rated.length / 2;
  const best = { id: `${id}-best`, title: `${what}: the ${each} best of ${all}` };
  const worst = { id: `${id}-worst`, title: `${what}: the ${each} worst of ${all}` };
  return [
    ratedList({ ...best, note, rated: rated.slice(0, each) }, frame),
    ratedList({ ...worst, note, rated: rated.slice(-each).toReversed() }, frame),
  ];
}
