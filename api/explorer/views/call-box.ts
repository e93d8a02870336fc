import { LANGUAGES, snippet } from '../../openapi/snippets.ts';
import { codeBlock, LANGUAGE_NAMES } from './code-block.ts';
import { html } from './html.ts';

/** The same question as calls of the API: title and path with query, each shown in every language. */
export function callBox(site: string, calls: readonly { title: string; path: string }[]) {
  return html`<section class="calls" id="calls">
    <h2>The same as a call</h2>
    <p class="note">
      Every figure here comes from the API. A key goes where <code>HEADWIND_KEY</code> stands, on
      your server, never in a page. <a href="/docs">All of the interface</a>
    </p>
    ${calls.map(
      ({ title, path }, call) =>
        html`<details open=${call === 0}>
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
