import { LANGUAGES, snippet } from '../../openapi/snippets.ts';
import { html } from './html.ts';

/** An API call; `path` includes the query. */
export type Call = { title: string; path: string };

const DEFAULT_NOTE = 'Every figure here comes from the API.';
/** The note on pages with comparisons that the API lacks. */
export const DERIVED_NOTE =
  'This page shows averages over a year, computed for the page. The call scores flights of today, so its figures differ.';

/** Shows API calls in every language. */
export function callBox(site: string, calls: readonly Call[], note = DEFAULT_NOTE) {
  if (calls.length === 0) return undefined;
  return html`<section class="calls" id="calls">
    <h2>Use the API</h2>
    <p class="note">
      ${note} Replace <code>HEADWIND_KEY</code> with your key. Keep the key on your server, never in
      a web page. ${' '}<a href="/docs">API reference</a>
    </p>
    ${calls.map(
      ({ title, path }, call) =>
        html`<details>
          <summary>${title}</summary>
          <div class="codes-of">
            ${codeBlock(`call-${call}-address`, 'Address', `${site}${path}`)}
            ${LANGUAGES.map((language) =>
              codeBlock(
                `call-${call}-${language}`,
                LANGUAGE_NAMES[language],
                snippet(language, `${site}${path}`),
              ),
            )}
          </div>
        </details>`,
    )}
  </section>`;
}

/** Returns the call that lists the airlines of a route; an empty list without a route. */
export function airlinesCall(route: { origin: string; dest: string } | undefined): Call[] {
  if (!route) return [];
  const { origin, dest } = route;
  return [
    {
      title: `Airlines from ${origin} to ${dest}, today`,
      path: `/api/airlines?${new URLSearchParams({ origin, dest })}`,
    },
  ];
}

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
