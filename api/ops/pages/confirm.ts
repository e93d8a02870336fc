import type { VNode } from 'preact';
import type { OpsAction } from '../../schemas/operations.ts';
import { html } from '../html.ts';
import type { View } from '../visitor.ts';
import { layout } from './layout.ts';

/** What is about to be done, and the button that does it. */
export function confirmPage({ action, visitor }: View & { action: OpsAction }): VNode {
  const { title, text, button } = wordsOf(action);
  const fields = Object.entries(action).flatMap(([name, value]) =>
    value === false ? [] : [[name, value === true ? 'on' : value]],
  );
  return layout(
    { title, visitor },
    html`<form class="card narrow" method="post" action="/ops/actions">
      ${text.map((line) => html`<p>${line}</p>`)}
      <p class="note">It goes into the ledger as asked for by ${visitor.name}.</p>
      <input type="hidden" name="token" value=${visitor.token()} />
      ${fields.map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}
      <p class="buttons">
        <button class="main">${button}</button> <a class="button" href="/ops">Cancel</a>
      </p>
    </form>`,
  );
}

function wordsOf(action: OpsAction): { title: string; text: string[]; button: string } {
  if (action.kind === 'nightly') {
    return {
      title: 'Run the night now?',
      text: [
        'Looks for months that came out and loads them, builds the features, runs the checks, trains where there is something new, and publishes.',
        'What is published now keeps serving until then, and if a check fails.',
      ],
      button: 'Run it',
    };
  }
  if (action.kind === 'acknowledge') {
    return {
      title: 'Take off what failed?',
      text: [
        'Failed jobs and refused months that the page told make nothing fail any more; what came since stays. Jobs stay where they are, and each that fails again is told again.',
      ],
      button: 'Take off',
    };
  }
  if (action.kind === 'retry') {
    return {
      title: 'Try this job again?',
      text: [`${action.id} is put back into the queue ${action.queue}, with all its attempts.`],
      button: 'Try again',
    };
  }
  const { from, to, force, publish } = action;
  const span = from === to ? from : `${from} to ${to}`;
  return {
    title: `Back-fill ${span}?`,
    text: [
      `Flights of ${span} are fetched and loaded. ${
        force
          ? 'Months that are unchanged are done again, and may replace ones with far more flights.'
          : 'A month that is unchanged is skipped, and none is replaced by one with far fewer flights.'
      }`,
      publish
        ? 'When all have ended, a night builds and publishes.'
        : 'Nothing is built or published: answers stay as they are until the next night.',
    ],
    button: 'Back-fill',
  };
}
