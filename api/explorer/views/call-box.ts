import { LANGUAGES, snippet } from '../../openapi/snippets.ts';
import { codeBlock, LANGUAGE_NAMES } from './code-block.ts';
import { html } from './html.ts';

/** A call of the API: path with query. */
export type Call = { title: string; path: string };

const SAME = 'Every figure here comes from the API.';
/** Where a page compares what the API does not. */
export const WORKED_OUT =
  'What is compared here is worked out for this page; the API tells of each flight and route.';

/** The same question as calls of the API, each shown in every language. */
export function callBox(site: string, calls: readonly Call[], whence = SAME) {
  if (calls.length === 0) return undefined;
  return html`<section class="calls" id="calls">
    <h2>The same as a call</h2>
    <p class="note">
      ${whence} A key goes where <code>HEADWIND_KEY</code> stands, on your server, never in a page.
      ${' '}<a href="/docs">All of the interface</a>
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

/** The airlines of a route that a page names first; none without one. */
export function airlinesCall(route: { origin: string; dest: string } | undefined): Call[] {
  if (!route) return [];
  const { origin, dest } = route;
  return [
    {
      title: `The airlines from ${origin} to ${dest}, today`,
      path: `/api/airlines?${new URLSearchParams({ origin, dest })}`,
    },
  ];
}
