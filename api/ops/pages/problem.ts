import type { VNode } from 'preact';
import { html } from '../html.ts';
import { layout } from './layout.ts';

const TITLES: Record<number, string> = {
  401: 'Log in first',
  403: 'Refused',
  404: 'Not found',
  405: 'Method not allowed',
  503: 'Unavailable',
};

/** The error page with a link to the overview. */
export function problemPage(status: number, text: string): VNode {
  return layout(
    { title: TITLES[status] ?? 'Error' },
    html`<p role="alert">${text}</p>
      <p><a href="/ops">Back to the overview</a></p>`,
  );
}
