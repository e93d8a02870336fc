import { formatAge } from '../../../warehouse/ground/duration.ts';
import type { VNode } from 'preact';
import type { OpsSummary, WatchCounts } from '../../../warehouse/live/ops-summary.ts';
import type { OpsQueue, OpsSchedule, OpsWorker } from '../../schemas/operations.ts';
import type { CurrentVerdict } from '../current-verdict.ts';
import { html } from '../html.ts';
import type { View } from '../visitor.ts';
import { layout } from './layout.ts';
import { monthGrid } from './month-grid.ts';
import { runTable } from './runs.ts';
import { moment } from './format.ts';

type OverviewData = {
  summary: OpsSummary | undefined;
  verdict: CurrentVerdict;
  queues: OpsQueue[];
  workers: OpsWorker[];
  schedules: OpsSchedule[];
};

const VERDICTS = ['Well', 'Failing', 'Degraded'] as const;
const RUNS_SHOWN = 12;
const INBOX_SHOWN = 5;
const CONFIRMATIONS: Record<string, string> = {
  nightly: 'The nightly run was requested.',
  backfill: 'The backfill was requested.',
  retry: 'The retry was requested.',
  acknowledge: 'The clearing of failures and warnings was requested.',
  schedule: 'The change of the schedule was requested.',
};

/** The overview page: health, queues, requests, months and last runs. */
export function overviewPage(page: View & OverviewData): VNode {
  const { summary, verdict, queues, workers, schedules, visitor, now, query } = page;
  const hasWorkers = queues.every(({ workers }) => workers > 0);
  const confirmation = CONFIRMATIONS[query['requested'] ?? ''];
  return layout(
    { title: 'Overview', path: '/ops', visitor },
    confirmation !== undefined &&
      html`<p class="notice" role="status">
        ${confirmation}${' '}${
          hasWorkers
            ? html`A worker will do it; <a href="/ops">reload this page</a> to see the result.`
            : 'No worker is connected. The request waits until a worker starts.'
        }
      </p>`,
    verdictSection(verdict, summary, now),
    html`<div class="cards">
      ${running(queues, workers)} ${actions()} ${served(summary, schedules)}
      ${inboxCard(summary?.inbox ?? [], now)}
    </div>`,
    summary && html`<h2>Months</h2>`,
    summary && monthGrid(summary),
    summary && html`<h2>Last runs</h2>`,
    summary && runTable({ runs: summary.runs.slice(0, RUNS_SHOWN), label: 'Last runs' }),
    summary && html`<p><a href="/ops/runs">All runs</a></p>`,
  );
}

function verdictSection(
  { code, problems }: CurrentVerdict,
  summary: OpsSummary | undefined,
  now: Date,
): VNode {
  const { acknowledgeable = 0, at, host } = summary ?? {};
  const reporter = host === undefined ? 'a worker' : `the worker on ${host}`;
  return html`<section class=${`notice ${code === 0 ? 'good' : code === 1 ? 'bad' : 'warn'}`}>
    <p>
      <b>${VERDICTS[code]}</b>
      ${at !== undefined && html`<small> reported by ${reporter} ${formatAge(at, now)}</small>`}
    </p>
    ${
      problems.length > 0 &&
      html`<ul>
        ${problems.map(
          ({ state, text }) =>
            html`<li>
              <b class=${state === 'failing' ? 'failed' : 'warned'}>${state}</b> ${text}
            </li>`,
        )}
      </ul>`
    }
    ${
      acknowledgeable > 0 &&
      html`<p>
        <a class="button" href=${`/ops/confirm?kind=acknowledge&at=${at}`}
          >Clear failed jobs, refused months and warnings…</a
        >
      </p>`
    }
  </section>`;
}

function running(queues: OpsQueue[], workers: OpsWorker[]): VNode {
  const jobs = queues.flatMap(({ running: all }) => all);
  return html`<section class="card" aria-labelledby="running">
    <h2 id="running">Queues</h2>
    <ul>
      ${queues.map(
        ({ queue, workers, waiting, failedCount }) =>
          html`<li>
            <a href=${`/ops/jobs#queue-${queue}`}>${queue}</a>: ${waiting} waiting,${' '}
            ${failedCount === 0 ? '0 failed' : html`<b class="failed">${failedCount} failed</b>`}
            ${workers === 0 && html`, <b class="failed">no worker</b>`}
          </li>`,
      )}
    </ul>
    ${
      jobs.length === 0
        ? html`<p>No job is running.</p>`
        : html`<ul>
            ${jobs.map(
              ({ id, progress, host }) =>
                html`<li>
                  <b class="running">running</b>${' '}
                  ${id}${host !== undefined && ` on ${host}`}${progress && html`<br /><small>${progress}</small>`}
                </li>`,
            )}
          </ul>`
    }
    ${
      workers.length > 0 &&
      html`<h3>Workers</h3>
        <ul>
          ${workers.map(
            ({ host, pid, does }) =>
              html`<li>
                ${host}${pid > 0 && html`, process ${pid}`}:${' '}
                ${does.length === 0 ? 'idle' : `runs ${does.join(', ')}`}
              </li>`,
          )}
        </ul>`
    }
  </section>`;
}

function actions(): VNode {
  return html`<section class="card" aria-labelledby="actions">
    <h2 id="actions">Actions</h2>
    <p><a class="button main" href="/ops/confirm?kind=nightly">Nightly run…</a></p>
    <form method="get" action="/ops/confirm">
      <input type="hidden" name="kind" value="backfill" />
      <p class="fields">
        <label
          >From${' '}
          <input
            type="month"
            name="from"
            required
            pattern="[0-9]{4}-[0-9]{2}"
            placeholder="2025-01"
        /></label>
        <label
          >to${' '}
          <input type="month" name="to" required pattern="[0-9]{4}-[0-9]{2}" placeholder="2025-12"
        /></label>
      </p>
      <p>
        <label><input type="checkbox" name="publish" checked /> then build and publish</label><br />
        <label
          ><input type="checkbox" name="force" /> force: also load unchanged months, and months with
          far fewer flights</label
        >
      </p>
      <button>Backfill…</button>
    </form>
  </section>`;
}

/** Table of the last flight files that arrived in the inbox folder. */
function inboxCard(files: NonNullable<OpsSummary['inbox']>, now: Date): VNode | false {
  return (
    files.length > 0 &&
    html`<section class="card" aria-labelledby="inbox">
      <h2 id="inbox">Inbox</h2>
      <ul>
        ${files.slice(0, INBOX_SHOWN).map(
          ({ name, at, outcome, why }) =>
            html`<li>
              <b class=${outcome === 'done' ? 'done' : 'failed'}>${outcome}</b>${' '}
              ${name}${' '}<small>${formatAge(at, now)}</small>
              ${outcome === 'refused' && html`<p class="error">${why}</p>`}
            </li>`,
        )}
      </ul>
    </section>`
  );
}

function watchText({ count, pending }: WatchCounts): string {
  return pending === 0
    ? `${count}, all messages are delivered`
    : `${count}, ${pending} with undelivered messages`;
}

function served(summary: OpsSummary | undefined, schedules: OpsSchedule[]): VNode {
  const { store, model, freshness, watches } = summary ?? {};
  const next = schedules.find(({ id }) => id === 'nightly')?.next;
  const facts: [string, VNode | string | undefined][] = [
    ['Store', store?.problem ?? store?.version],
    ['Built', store?.builtAt && moment(store.builtAt)],
    ['Model', model && (model.version ?? 'none')],
    ['Pinned', model?.pinned],
    ['Flights until', freshness?.lastMonth],
    ['Delay causes until', freshness?.lastLevelMonth],
    ['Watches of callers', watches && watchText(watches)],
    ['Next nightly run', next && moment(next)],
  ];
  return html`<section class="card" aria-labelledby="served">
    <h2 id="served">Served</h2>
    <dl>
      ${facts
        .filter(([, value]) => value !== undefined)
        .map(
          ([name, value]) =>
            html`<div>
              <dt>${name}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
    </dl>
  </section>`;
}
