import type { VNode } from 'preact';
import type { OpsRun } from '../../../warehouse/live/ops-summary.ts';
import { html } from '../html.ts';
import { count, duration, tookMs } from './words.ts';

const [WIDTH, HEIGHT, GAP] = [320, 56, 1];
/** More would be thinner than a line. */
const BARS = 60;

export type Bar = {
  x: number;
  y: number;
  width: number;
  height: number;
  label: string;
  state: string;
};

/** Bars from left to right in order of time; the tallest fills the height, and what is not nothing is to be seen. */
export function barsOf(
  values: { value: number; label: string; state: string }[],
  { width, height }: { width: number; height: number } = { width: WIDTH, height: HEIGHT },
): Bar[] {
  const top = Math.max(1, ...values.map(({ value }) => value));
  const step = width / Math.max(values.length, 12);
  return values.map(({ value, label, state }, index) => {
    const tall = value === 0 ? 0 : Math.max(2, (value / top) * height);
    return {
      x: index * step,
      y: height - tall,
      width: Math.max(1, step - GAP),
      height: tall,
      label,
      state,
    };
  });
}

/** A row of bars; its figures are in the table beside it. */
export function bars(all: Bar[], label: string): VNode {
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

/** A step of the pipeline over time: how long its runs took, and how many rows came of them. */
export function runChart({ step, runs }: { step: string; runs: OpsRun[] }): VNode {
  const inOrder = runs.slice(0, BARS).toReversed();
  const longest = Math.max(...inOrder.map(tookMs));
  const most = Math.max(0, ...inOrder.map(({ rowsOut = 0 }) => rowsOut));
  const times = barsOf(
    inOrder.map((run) => ({
      value: tookMs(run),
      label: `${run.startedAt.slice(0, 16)}: ${duration(tookMs(run))}, ${run.outcome}`,
      state: run.outcome,
    })),
  );
  const rows = barsOf(
    inOrder.map(({ rowsOut = 0, startedAt }) => ({
      value: rowsOut,
      label: `${startedAt.slice(0, 16)}: ${count(rowsOut)} rows`,
      state: 'rows',
    })),
  );
  return html`<figure class="card">
    <figcaption>
      <a href=${`/ops/runs?step=${step}`}>${step}</a>, last ${inOrder.length} runs
    </figcaption>
    ${bars(times, `How long the last runs of ${step} took`)}
    <p class="note">Duration, up to ${duration(longest)}</p>
    ${most > 0 && bars(rows, `Rows of the last runs of ${step}`)}
    ${most > 0 && html`<p class="note">Rows, up to ${count(most)}</p>`}
  </figure>`;
}

function round(value: number): number {
  return Math.round(10 * value) / 10;
}
