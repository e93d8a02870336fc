import type { VNode } from 'preact';
import { html } from '../html.ts';
import { layout } from './layout.ts';

const TITLES: Record<number, string> = {
  401: 'Log in first',
  403: 'Refused',
  404: 'Not here',
  405: 'Not this way',
  503: 'Not now',
};

/** What went wrong, and the way back. */
export function problemPage(status: number, text: string): VNode {
  return layout(
    { title: TITLES[status] ?? 'This did not work' },
    html`<p role="alert">${text}</p>
      <p><a href="/ops">Back to the overview</a></p>`,
  );
}
