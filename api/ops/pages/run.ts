import type { VNode } from 'preact';
import type { OpsRunDetail } from '../../../warehouse/live/ops-runs.ts';
import type { OpsRun } from '../../../warehouse/live/ops-summary.ts';
import type { OpsJobState } from '../../schemas/operations.ts';
import { html, type Node } from '../html.ts';
import { BOARD_PATH } from '../paths.ts';
import type { View } from '../visitor.ts';
import { count, duration, durationMs, moment } from './format.ts';
import { layout } from './layout.ts';
import { changeTable, logTable, monthTable, partTable, rejectTable } from './run-tables.ts';
import { runTable } from './runs.ts';

export type RunPageData = {
  run: OpsRunDetail;
  /**
   * The newest runs in the ledger. Among them are other attempts at the same job, and runs of its parent and child
   * jobs.
   */
  runs: OpsRun[];
  /** The job of the run; undefined if the queue no longer has it. */
  job: OpsJobState | undefined;
};

/** The page of one run: facts, times, changes, job with all attempts, related runs and log. */
export function runPage({ run, runs, job, visitor }: View & RunPageData): VNode {
  const { id, step, startedAt, error, parts, months, changes, rejects, notes, log } = run;
  const title = `Run ${step}, ${startedAt.slice(0, 16).replace('T', ' ')}`;
  return layout(
    { title, path: '/ops/runs', visitor },
    error !== undefined && html`<p class="notice bad error">${error}</p>`,
    html`<div class="cards">${facts(run)} ${run.job && jobCard(run.job, job)}</div>`,
    section('Steps', parts.length > 0 && partTable(run)),
    section('Months', months.length > 0 && monthTable(months)),
    section('Changes', changes.length > 0 && changeTable(changes)),
    section('Rejected rows', Object.keys(rejects).length > 0 && rejectTable(rejects)),
    section(
      'Notes',
      notes.length > 0 &&
        html`<ul>
          ${notes.map((note) => html`<li>${note}</li>`)}
        </ul>`,
    ),
    ...relatedTables(id, run.job, runs),
    section('Log', logTable(log)),
  );
}

function section(title: string, content: Node): Node {
  return (
    content &&
    html`<h2>${title}</h2>
      ${content}`
  );
}

function facts(run: OpsRunDetail): VNode {
  const { outcome, startedAt, finishedAt, rowsIn, rowsOut, rowsRejected, codeVersion } = run;
  const rows: [string, Node][] = [
    ['Outcome', html`<b class=${outcome}>${outcome}</b>`],
    ['Start (UTC)', moment(startedAt)],
    ['Duration', duration(durationMs({ startedAt, finishedAt }))],
    ['Rows in', count(rowsIn)],
    ['Rows out', count(rowsOut)],
    ['Rows rejected', count(rowsRejected)],
    ['Code', codeVersion],
    ['Id', html`<code class="long">${run.id}</code>`],
  ];
  return html`<section class="card" aria-labelledby="facts">
    <h2 id="facts">Facts</h2>
    ${definitions(rows)}
    ${
      run.inputs.length > 0 &&
      html`<h3>Inputs</h3>
        <ul>
          ${run.inputs.map(
            ({ name, sha256 }) =>
              html`<li>
                ${name}${sha256 !== undefined && html` <small>sha256 ${sha256.slice(0, 12)}</small>`}
              </li>`,
          )}
        </ul>`
    }
  </section>`;
}

function jobCard(own: NonNullable<OpsRun['job']>, job: OpsJobState | undefined): VNode {
  const rows: [string, Node][] = [
    ['Job', html`<a href=${jobHref(own.queue, own.id)}>${own.id}</a>`],
    ['Queue', own.queue],
    ['Attempt', `${own.attempt} of at most ${own.attempts}`],
    ['Now', job ? job.state : 'no longer in the queue'],
    ['Parent', own.parent && html`<code class="long">${own.parent}</code>`],
    ['Children', job && job.children.length > 0 && links(job.children)],
  ];
  return html`<section class="card" aria-labelledby="job">
    <h2 id="job">Job</h2>
    ${definitions(rows)}
    ${
      job &&
      job.errors.length > 0 &&
      html`<h3>Errors of its attempts</h3>
        <ol>
          ${job.errors.map((error) => html`<li><p class="error">${error}</p></li>`)}
        </ol>`
    }
  </section>`;
}

function links(jobs: OpsJobState['children']): VNode {
  return html`<ul>
    ${jobs.map(({ queue, id }) => html`<li><a href=${jobHref(queue, id)}>${id}</a></li>`)}
  </ul>`;
}

/** Returns the address of a job on the page of all queues. */
function jobHref(queue: string, id: string): string {
  return `${BOARD_PATH}/queue/${queue}/${encodeURIComponent(id)}`;
}

function definitions(rows: [string, Node][]): VNode {
  return html`<dl>
    ${rows
      .filter(([, value]) => value !== undefined && value !== false && value !== '')
      .map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
  </dl>`;
}

/** Tables of related runs: other attempts at the job, runs of its parent job, and runs of its child jobs. */
function relatedTables(id: string, own: OpsRun['job'], runs: OpsRun[]): Node[] {
  if (!own) return [];
  const groups: [string, (job: NonNullable<OpsRun['job']>) => boolean][] = [
    ['Other runs of this job', (job) => job.id === own.id],
    ['Runs of the parent', (job) => job.id === own.parent],
    ['Runs of children', (job) => job.parent === own.id],
  ];
  return groups.map(([title, isRelated]) => {
    const related = runs.filter((run) => run.id !== id && run.job && isRelated(run.job));
    return section(title, related.length > 0 && runTable({ runs: related, label: title }));
  });
}
