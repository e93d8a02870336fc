import type { VNode } from 'preact';
import type { OpsRunDetail } from '../../../warehouse/live/ops-runs.ts';
import { html, type Node } from '../html.ts';
import { count, duration, durationMs } from './format.ts';

type Column = { name: string; isNumber?: boolean };

/** Table of a run's parts in order, with each part's share of the time. */
export function partTable(run: OpsRunDetail): VNode {
  const total = Math.max(1, durationMs(run));
  return table(
    'Steps',
    [{ name: 'Step' }, { name: 'Start (UTC)' }, number('Duration'), number('Share')],
    run.parts.map(({ name, startedAt, ms }) => [
      name,
      startedAt.slice(11, 19),
      duration(ms),
      `${Math.round((100 * ms) / total)} %`,
    ]),
  );
}

/** Table of the months in a run and the result for each month. */
export function monthTable(months: OpsRunDetail['months']): VNode {
  return table(
    'Months',
    [{ name: 'Month' }, { name: 'Outcome' }, { name: 'Reason' }],
    months.map(({ month, outcome, why }) => [
      html`<a href=${`/ops/months/${month}`}>${month}</a>`,
      outcome,
      why,
    ]),
  );
}

/** Table of months with their row counts before and after the run, largest loss first. */
export function changeTable(changes: OpsRunDetail['changes']): VNode {
  const difference = ({ before = 0, after = 0 }: (typeof changes)[number]) => after - before;
  return table(
    'Changes',
    [{ name: 'Month' }, { name: 'Group' }, number('Before'), number('After'), number('Change')],
    changes
      .toSorted((a, b) => difference(a) - difference(b))
      .map((change) => [
        change.month,
        change.group,
        count(change.before),
        count(change.after),
        `${difference(change) > 0 ? '+' : ''}${count(difference(change))}`,
      ]),
  );
}

/** Table of rejected rows by reason, most frequent reason first. */
export function rejectTable(rejects: OpsRunDetail['rejects']): VNode {
  return table(
    'Rejected rows',
    [{ name: 'Reason' }, number('Rows')],
    Object.entries(rejects)
      .toSorted(([, a], [, b]) => b - a)
      .map(([reason, rows]) => [reason, count(rows)]),
  );
}

/** Table of a run's log lines. */
export function logTable(log: OpsRunDetail['log']): VNode {
  if (log.length === 0) return html`<p>This run has no log lines.</p>`;
  return table(
    'Log',
    [{ name: 'Time (UTC)' }, { name: 'Level' }, { name: 'Message' }],
    log.map(({ at, level, text }) => [
      at.slice(11, 23),
      level,
      html`<code class="long">${text}</code>`,
    ]),
  );
}

function number(name: string): Column {
  return { name, isNumber: true };
}

function table(label: string, columns: Column[], rows: Node[][]): VNode {
  const classOf = (index: number) => (columns[index]?.isNumber ? 'number' : undefined);
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>
    <table>
      <thead>
        <tr>
          ${columns.map(({ name }, index) => html`<th scope="col" class=${classOf(index)}>${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell, index) => html`<td class=${classOf(index)}>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
