import type { VNode } from 'preact';
import type { OpsRun, OpsSummary } from '../../../warehouse/live/ops-summary.ts';
import { html } from '../html.ts';
import type { View } from '../visitor.ts';
import { layout } from './layout.ts';
import { runChart } from './run-chart.ts';
import { count, duration, moment, durationMs } from './format.ts';

/** The page of all runs in the ledger, with duration, rows and errors. */
export function runsPage({ runs, visitor, query }: View & OpsSummary): VNode {
  const { step, outcome } = query;
  const steps = [...Map.groupBy(runs, (run) => run.step)];
  const shown = runs.filter(
    (run) =>
      (step === undefined || run.step === step) &&
      (outcome === undefined || run.outcome === outcome),
  );
  const charts = steps.filter(([name]) => step === undefined || name === step);
  const filters: [string, string, boolean][] = [
    ['/ops/runs', 'all', step === undefined && outcome === undefined],
    ['/ops/runs?outcome=failed', 'failed', outcome === 'failed'],
    ...steps.map(([name]): [string, string, boolean] => [
      `/ops/runs?step=${name}`,
      name,
      step === name,
    ]),
  ];
  return layout(
    { title: 'Runs', path: '/ops/runs', visitor },
    html`<ul class="filters" aria-label="Show">
      ${filters.map(
        ([href, name, isOn]) =>
          html`<li><a href=${href} aria-current=${isOn ? 'true' : undefined}>${name}</a></li>`,
      )}
    </ul>`,
    html`<div class="cards">
      ${charts.map(([name, all]) => runChart({ step: name, runs: all }))}
    </div>`,
    runTable({ runs: shown, label: 'Runs' }),
  );
}

/** The table of runs, in the given order. */
export function runTable({ runs, label }: { runs: OpsRun[]; label: string }): VNode {
  if (runs.length === 0) return html`<p>No runs.</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>
    <table>
      <thead>
        <tr>
          <th scope="col">Start (UTC)</th>
          <th scope="col">Step</th>
          <th scope="col">Outcome</th>
          <th scope="col" class="number">Duration</th>
          <th scope="col" class="number">Rows in</th>
          <th scope="col" class="number">Rows out</th>
          <th scope="col" class="number">Rejected</th>
          <th scope="col">Inputs</th>
        </tr>
      </thead>
      <tbody>
        ${runs.map(
          (run) =>
            html`<tr id=${run.id}>
              <td><a href=${`/ops/runs/${run.id}`}>${moment(run.startedAt)}</a></td>
              <td>${run.step}</td>
              <td><b class=${run.outcome}>${run.outcome}</b></td>
              <td class="number">${duration(durationMs(run))}</td>
              <td class="number">${count(run.rowsIn)}</td>
              <td class="number">${count(run.rowsOut)}</td>
              <td class="number">${count(run.rowsRejected)}</td>
              <td>
                ${inputsText(run.inputs)}${
                  run.error !== undefined && html`<p class="error">${run.error}</p>`
                }
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function inputsText(inputs: string[]): string {
  const more = inputs.length - 3;
  return inputs.slice(0, 3).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
