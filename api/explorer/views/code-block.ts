import { html } from './html.ts';

/** Something to copy, under its name. */
export function codeBlock(id: string, name: string, text: string) {
  return html`<div class="code">
    <p>${name}</p>
    <button type="button" data-copy=${id} aria-label=${`Copy ${name}`}>Copy</button>
    <pre id=${id} tabindex="0" aria-label=${name}><code>${text}</code></pre>
  </div>`;
}

/** Languages as people write them. */
export const LANGUAGE_NAMES = { curl: 'curl', typescript: 'TypeScript', python: 'Python' };
