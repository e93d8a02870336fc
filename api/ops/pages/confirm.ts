import type { VNode } from 'preact';
import type { OpsAction } from '../../schemas/operations.ts';
import { html } from '../html.ts';
import type { View } from '../visitor.ts';
import { layout } from './layout.ts';

/** The page that describes a request and asks for confirmation. */
export function confirmPage({ action, visitor }: View & { action: OpsAction }): VNode {
  const { title, text, button } = textsOf(action);
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

function textsOf(action: OpsAction): { title: string; text: string[]; button: string } {
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
        'Clears the failed jobs and refused months that the page listed. Newer failures stay. Jobs stay in their queues, and a job that fails again is listed again.',
      ],
      button: 'Clear',
    };
  }
  if (action.kind === 'retry') {
    return {
      title: 'Retry this job?',
      text: [`Puts ${action.id} back into the queue ${action.queue} with all its attempts.`],
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
