import type { Frame } from '../page.ts';
import type { ComparedItem } from './places-data.ts';
import { ratedList } from './rated-list.ts';

export type RatedEnds = {
  id: string;
  itemsName: string;
  note: string;
  /**
   * The items to draw, least late first. A short list is complete. A long list contains equally many items from both
   * ends.
   */
  rated: readonly ComparedItem[];
  /** Number of comparable items. */
  total: number;
};

/** Draws all items of a short list, and only the best and worst items of a long list. */
export function ratedEnds({ id, itemsName, note, rated, total }: RatedEnds, frame: Frame) {
  if (rated.length === total) {
    return ratedList({ id, title: `${itemsName} compared`, note, rated }, frame);
  }
  const each = rated.length / 2;
  const best = { id: `${id}-best`, title: `${itemsName}: the ${each} best of ${total}` };
  const worst = { id: `${id}-worst`, title: `${itemsName}: the ${each} worst of ${total}` };
  return [
    ratedList({ ...best, note, rated: rated.slice(0, each) }, frame),
    ratedList({ ...worst, note, rated: rated.slice(-each).toReversed() }, frame),
  ];
}
