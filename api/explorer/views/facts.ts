import { html, type Content } from './html.ts';

/** A list of names and values. */
export function factList(facts: readonly (readonly [name: string, value: Content])[]) {
  return html`<dl class="facts">
    ${facts.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}
