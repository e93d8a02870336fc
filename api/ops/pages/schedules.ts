import type { VNode } from 'preact';
import { OFF } from '../../../warehouse/ground/cron.ts';
import type { OpsSchedule } from '../../schemas/operations.ts';
import { html } from '../html.ts';
import { moment } from './format.ts';

/** Table of schedules with their times and last results, and forms to change them. */
export function scheduleTable(schedules: OpsSchedule[]): VNode {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Schedules">
    <table>
      <thead>
        <tr>
          <th scope="col">Schedule</th>
          <th scope="col">Times</th>
          <th scope="col">Next (UTC)</th>
          <th scope="col">Last run (UTC)</th>
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        ${schedules.map(scheduleRow)}
      </tbody>
    </table>
  </div>`;
}

function scheduleRow(schedule: OpsSchedule): VNode {
  const { id, what, pattern, tz, last } = schedule;
  return html`<tr>
    <th scope="row">${id}: ${what}</th>
    <td><code>${pattern}</code> <small>${tz}</small> ${changeNote(schedule)}</td>
    <td>${nextRun(schedule)}</td>
    <td>${last && lastRun(last)}</td>
    <td>${changeForms(schedule)}</td>
  </tr>`;
}

function changeNote({ changed, setting }: OpsSchedule): VNode | undefined {
  if (changed === undefined) return undefined;
  const { by, at } = changed;
  return html`<p class="note">
    Changed by ${by} at ${moment(at)}; the setting is <code>${setting}</code>.
  </p>`;
}

function nextRun({ next, isPaused, pattern }: OpsSchedule): VNode | string {
  if (isPaused) return html`<b>paused</b>`;
  if (next !== undefined) return moment(next);
  return pattern === OFF ? 'off' : 'not active yet';
}

function lastRun({ at, isOk, text }: NonNullable<OpsSchedule['last']>): VNode {
  return html`${isOk ? 'ended well' : html`<b class="failed">failed</b>`} ${moment(at)}
  ${text !== undefined && html`<p class=${isOk ? 'note' : 'error'}>${text}</p>`}`;
}

function changeForms({ id, pattern, isPaused, isFixed, changed }: OpsSchedule): VNode | string {
  if (isFixed) return 'fixed';
  const link = (change: string, label: string) =>
    html`<a
      class="button"
      href=${`/ops/confirm?${new URLSearchParams({ kind: 'schedule', id, change })}`}
      >${label}</a
    >`;
  return html`<form method="get" action="/ops/confirm">
      <input type="hidden" name="kind" value="schedule" />
      <input type="hidden" name="id" value=${id} />
      <input type="hidden" name="change" value="pattern" />
      <input
        name="pattern"
        value=${pattern}
        size="14"
        required
        aria-label=${`Times of ${id}`}
      />${' '}
      <button>Change…</button>
    </form>
    <p class="buttons">
      ${isPaused ? link('resume', 'Resume…') : link('pause', 'Pause…')}
      ${changed !== undefined && html`${' '}${link('reset', 'Reset…')}`}
    </p>`;
}
