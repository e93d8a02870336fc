import type { VNode } from 'preact';
import type { OpsRun } from '../../../warehouse/live/ops-summary.ts';
import { html } from '../html.ts';
import { count, duration, durationMs } from './format.ts';

const [WIDTH, HEIGHT, GAP] = [320, 56, 1];
/** Maximum number of bars. More bars would be too narrow. */
const BARS = 60;

export type Bar = {
  x: number;
  y: number;
  width: number;
  height: number;
  label: string;
  state: string;
};

/** Places bars from left to right. The tallest bar has the full height. Bars of values above 0 stay visible. */
export function layOutBars(
  values: { value: number; label: string; state: string }[],
  { width, height }: { width: number; height: number } = { width: WIDTH, height: HEIGHT },
): Bar[] {
  const top = Math.max(1, ...values.map(({ value }) => value));
  const step = width / Math.max(values.length, 12);
  return values.map(({ value, label, state }, index) => {
    const barHeight = value === 0 ? 0 : Math.max(2, (value / top) * height);
    return {
      x: index * step,
      y: height - barHeight,
      width: Math.max(1, step - GAP),
      height: barHeight,
      label,
      state,
    };
  });
}

/** Draws a row of bars. A table beside the chart shows the same numbers. */
export function drawBars(all: Bar[], label: string): VNode {
  return html`<svg
    class="bars"
    role="img"
    aria-label=${label}
    viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}
    width=${WIDTH}
    height=${HEIGHT}
    preserveAspectRatio="none"
  >
    ${all.map(
      ({ x, y, width, height, label: title, state }) =>
        html`<rect
          class=${state}
          x=${round(x)}
          y=${round(y)}
          width=${round(width)}
          height=${round(height)}
        >
          <title>${title}</title>
        </rect>`,
    )}
  </svg>`;
}

/** The chart of one step: duration and number of rows in its last runs. */
export function runChart({ step, runs }: { step: string; runs: OpsRun[] }): VNode {
  const inOrder = runs.slice(0, BARS).toReversed();
  const longest = Math.max(...inOrder.map(durationMs));
  const most = Math.max(0, ...inOrder.map(({ rowsOut = 0 }) => rowsOut));
  const times = layOutBars(
    inOrder.map((run) => ({
      value: durationMs(run),
      label: `${run.startedAt.slice(0, 16)}: ${duration(durationMs(run))}, ${run.outcome}`,
      state: run.outcome,
    })),
  );
  const rows = layOutBars(
    inOrder.map(({ rowsOut = 0, startedAt }) => ({
      value: rowsOut,
      label: `${startedAt.slice(0, 16)}: ${count(rowsOut)} rows`,
      state: 'rows',
    })),
  );
  return html`<figure class="card">
    <figcaption>
      <a href=${`/ops/runs?step=${step}`}>${step}</a
      >${inOrder.length === 1 ? ', last run' : `, last ${inOrder.length} runs`}
    </figcaption>
    ${drawBars(times, `Duration of the last runs of ${step}`)}
    <p class="note">Duration, up to ${duration(longest)}</p>
    ${most > 0 && drawBars(rows, `Rows of the last runs of ${step}`)}
    ${most > 0 && html`<p class="note">Rows, up to ${count(most)}</p>`}
  </figure>`;
}

function round(value: number): number {
  return Math.round(10 * value) / 10;
}
