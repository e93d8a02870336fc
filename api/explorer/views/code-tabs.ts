import { callSnippet, LANGUAGES, type SnippetCall } from '../../openapi/snippets.ts';
import { html } from './html.ts';

/** Display names of the languages. */
const LANGUAGE_NAMES = { curl: 'curl', typescript: 'TypeScript', python: 'Python' };

/**
 * The code of a call with a tab for each language. The browser remembers the chosen tab for all pages. Without script,
 * the code in all languages is visible.
 */
export function codeTabs(id: string, name: string, call: SnippetCall) {
  return html`<div class="tabs">
    <div class="languages needs-script" role="group" aria-label=${`Language of ${name}`}>
      ${LANGUAGES.map(
        (language) =>
          html`<button type="button" data-language-choice=${language} aria-pressed="false">
            ${LANGUAGE_NAMES[language]}
          </button>`,
      )}
    </div>
    ${LANGUAGES.map((language) =>
      codeBlock(
        `${id}-${language}`,
        LANGUAGE_NAMES[language],
        callSnippet(language, call),
        language,
      ),
    )}
  </div>`;
}

/** A named block of code with a copy button. */
export function codeBlock(id: string, name: string, text: string, className = '') {
  return html`<div class=${`code ${className}`}>
    <p>${name}</p>
    <button type="button" data-copy=${id} aria-label=${`Copy ${name}`}>Copy</button>
    <pre id=${id} tabindex="0" aria-label=${name}><code>${text}</code></pre>
  </div>`;
}
