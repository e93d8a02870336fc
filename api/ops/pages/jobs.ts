import { formatAge } from '../../../warehouse/ground/duration.ts';
import type { VNode } from 'preact';
import type { OpsJob, OpsQueue, OpsSchedule } from '../../schemas/operations.ts';
import { html } from '../html.ts';
import type { View } from '../visitor.ts';
import { layout } from './layout.ts';
import { moment } from './format.ts';
import { scheduleTable } from './schedules.ts';

type Queues = { queues: OpsQueue[]; schedules: OpsSchedule[] };

/** The page of the queues: running, retrying and failed jobs, and schedules. */
export function jobsPage({
  queues,
  schedules,
  visitor,
  now,
  hasWrites,
}: View & Queues & { hasWrites: boolean }): VNode {
  return layout(
    { title: 'Jobs', path: '/ops/jobs', visitor },
    queues.map((queue) => queueSection(queue, now)),
    html`<h2 id="schedules">Schedules</h2>`,
    scheduleTable(schedules),
    html`<p>
      <a href="/ops/queues">All queues in detail</a>
      ${hasWrites ? ', with changes allowed' : ', read-only'}
    </p>`,
  );
}

function queueSection(queue: OpsQueue, now: Date): VNode {
  const { queue: name, workers, waiting, running, retrying, failed, failedCount } = queue;
  const counts = [
    ...(workers > 0 ? [`${workers} ${workers === 1 ? 'worker' : 'workers'}`] : []),
    `${running.length} running`,
    `${waiting} waiting`,
    `${retrying.length} waiting for a retry`,
    `${failedCount} failed`,
  ];
  return html`<section aria-labelledby=${`queue-${name}`}>
    <h2 id=${`queue-${name}`}>${name}</h2>
    <p>${workers === 0 && html`<b class="failed">No worker.</b>`} ${` ${counts.join(', ')}`}</p>
    ${jobTable({ jobs: running, title: 'Running', now })}
    ${jobTable({ jobs: retrying, title: 'Waiting for a retry', now })}
    ${jobTable({ jobs: failed, title: 'Failed', now, retryIn: name })}
    ${failedCount > failed.length && html`<p class="note">Showing the newest ${failed.length}.</p>`}
  </section>`;
}

type JobTable = { jobs: OpsJob[]; title: string; now: Date; retryIn?: string };

function jobTable({ jobs, title, now, retryIn }: JobTable): VNode | undefined {
  if (jobs.length === 0) return undefined;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${title}>
    <table>
      <caption>
        ${title}
      </caption>
      <thead>
        <tr>
          <th scope="col">Job</th>
          <th scope="col">Since</th>
          <th scope="col" class="number">Attempts</th>
          <th scope="col">Progress</th>
          ${retryIn !== undefined && html`<th scope="col">Retry</th>`}
        </tr>
      </thead>
      <tbody>
        ${jobs.map(
          (job) =>
            html`<tr>
              <th scope="row">${job.id}</th>
              <td>${moment(job.since)} <small>${formatAge(job.since, now)}</small></td>
              <td class="number">${job.attempts}</td>
              <td>
                ${job.progress}${job.why !== undefined && html`<p class="error">${job.why}</p>`}
              </td>
              ${
                retryIn !== undefined &&
                html`<td><a class="button" href=${retryHref(retryIn, job.id)}>Retry…</a></td>`
              }
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function retryHref(queue: string, id: string): string {
  return `/ops/confirm?${new URLSearchParams({ kind: 'retry', queue, id })}`;
}
