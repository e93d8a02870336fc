import type { ScaleLinear } from 'd3-scale';
import { percent } from './format.ts';
import { html } from './html.ts';

type Rules = {
  /** Scale from shares to heights. */
  y: ScaleLinear<number, number>;
  /** Approximate number of horizontal lines. */
  ticks: number;
  left: number;
  right: number;
};

/** Horizontal lines of a chart, with percentages on the left. */
export function percentRules({ y, ticks, left, right }: Rules, locale: string) {
  return y
    .ticks(ticks)
    .map(
      (tick) =>
        html`<line class="rule" x1=${left} x2=${right} y1=${y(tick)} y2=${y(tick)} />
          <text class="tick" x=${left - 6} y=${y(tick) + 4} text-anchor="end"
            >${percent(tick, locale, 0)}</text
          >`,
    );
}
