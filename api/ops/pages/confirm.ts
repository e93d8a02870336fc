import type { VNode } from 'preact';
import { nextTimes } from '../../../warehouse/ground/cron.ts';
import { RequestError } from '../../errors.ts';
import type { OpsAction, OpsSchedule, ScheduleChange } from '../../schemas/operations.ts';
import { html } from '../html.ts';
import type { View } from '../visitor.ts';
import { layout } from './layout.ts';

/** The page that describes an operator's request and asks for confirmation. */
export function confirmPage({
  action,
  schedule,
  visitor,
  now,
}: View & { action: OpsAction; schedule?: OpsSchedule | undefined }): VNode {
  const { title, text, button } =
    action.kind === 'schedule' ? scheduleTexts(action, schedule, now) : textsOf(action);
  const fields = Object.entries(action).flatMap(([name, value]) =>
    value === false ? [] : [[name, value === true ? 'on' : value]],
  );
  return layout(
    { title, visitor },
    html`<form class="card narrow" method="post" action="/ops/actions">
      ${text.map((line) => html`<p>${line}</p>`)}
      <p class="note">The ledger records this request with the name ${visitor.name}.</p>
      <input type="hidden" name="token" value=${visitor.token()} />
      ${fields.map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}
      <p class="buttons">
        <button class="main">${button}</button> <a class="button" href="/ops">Cancel</a>
      </p>
    </form>`,
  );
}

type Texts = { title: string; text: string[]; button: string };

/** Number of next runs that are shown before an operator changes the times of a schedule. */
const SHOWN_RUNS = 3;

function scheduleTexts(
  { id, change, pattern }: ScheduleChange,
  schedule: OpsSchedule | undefined,
  now: Date,
): Texts {
  if (schedule === undefined || schedule.isFixed) {
    throw new RequestError(404, 'not_found', `There is no schedule ${id} that can be changed.`);
  }
  const { tz, setting, pattern: current } = schedule;
  const after = { pattern: pattern ?? current, pause: current, resume: current, reset: setting };
  const runs = nextTimes(after[change], tz, now, SHOWN_RUNS).map(
    (time) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  );
  const runsText =
    runs.length === 0 ? 'The schedule is then off.' : `The next runs are at ${runs.join(', ')}.`;
  if (change === 'pause') {
    const text = ['No run starts until the schedule is resumed. A running job goes on.'];
    return { title: `Pause ${id}?`, text, button: 'Pause' };
  }
  if (change === 'resume') return { title: `Resume ${id}?`, text: [runsText], button: 'Resume' };
  const times = `Times: ${after[change]} (${tz}). ${runsText}`;
  return change === 'reset'
    ? {
        title: `Reset ${id}?`,
        text: ['The schedule returns to the settings of the service.', times],
        button: 'Reset',
      }
    : {
        title: `Change ${id}?`,
        text: [times, ...(schedule.isPaused ? ['The schedule stays paused.'] : [])],
        button: 'Change',
      };
}

function textsOf(action: Exclude<OpsAction, { kind: 'schedule' }>): Texts {
  if (action.kind === 'nightly') {
    return {
      title: 'Start the nightly run now?',
      text: [
        'Searches for newly published months and loads them, builds the features, runs the checks, trains if there are new data, and publishes.',
        'The current store is served until then, and longer if a check fails.',
      ],
      button: 'Start',
    };
  }
  if (action.kind === 'acknowledge') {
    return {
      title: 'Clear failures?',
      text: [
        'Clears the failed jobs and refused months that the overview listed, and hides its warnings until they change. Newer failures stay. Jobs stay in their queues, and a job that fails again is listed again.',
      ],
      button: 'Clear',
    };
  }
  if (action.kind === 'retry') {
    return {
      title: 'Retry this job?',
      text: [
        `Puts ${action.id} back into the queue ${action.queue}. The job can use all its attempts again.`,
      ],
      button: 'Retry',
    };
  }
  const { from, to, force, publish } = action;
  const span = from === to ? from : `${from} to ${to}`;
  return {
    title: `Backfill ${span}?`,
    text: [
      `Fetches and loads the flights of ${span}. ${
        force
          ? 'Unchanged months are loaded again. A month may be replaced by one with far fewer flights.'
          : 'Unchanged months are skipped. A month is never replaced by one with far fewer flights.'
      }`,
      publish
        ? 'Builds and publishes when all months are done.'
        : 'Does not build or publish: answers change with the next nightly run.',
    ],
    button: 'Backfill',
  };
}
