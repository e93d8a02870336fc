import { html } from './html.ts';

/** A named block of code with a copy button. */
export function codeBlock(id: string, name: string, text: string) {
  return html`<div class="code">
    <p>${name}</p>
    <button type="button" data-copy=${id} aria-label=${`Copy ${name}`}>Copy</button>
    <pre id=${id} tabindex="0" aria-label=${name}><code>${text}</code></pre>
  </div>`;
}

/** Display names of the languages. */
export const LANGUAGE_NAMES = { curl: 'curl', typescript: 'TypeScript', python: 'Python' };
