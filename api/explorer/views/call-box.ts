import { callOfAddress } from '../../openapi/snippets.ts';
import { codeBlock, codeTabs } from './code-tabs.ts';
import { html } from './html.ts';

/** An API call. `path` includes the query. */
export type Call = { title: string; path: string };

const DEFAULT_NOTE = 'Every figure here comes from the API.';
/** Note for pages whose comparisons are not available in the API. */
export const DERIVED_NOTE =
  'The API does not return the comparisons and averages of this page. The API call below scores today’s flights, so its figures differ from this page.';

/** Shows the code of API calls in every programming language. */
export function callBox(site: string, calls: readonly Call[], note = DEFAULT_NOTE) {
  if (calls.length === 0) return undefined;
  return html`<section class="calls" id="calls">
    <h2>Use the API</h2>
    <p class="note">
      ${note} The examples below read your key from the environment variable
      ${' '}<code>HEADWIND_KEY</code>. Keep the key on your server, never in a web page. ${' '}<a
        href="/docs"
        >API reference</a
      >
    </p>
    ${calls.map(
      ({ title, path }, call) =>
        html`<details>
          <summary>${title}</summary>
          <div class="codes-of">
            ${codeBlock(`call-${call}-address`, 'Address', `${site}${path}`)}
            ${codeTabs(`call-${call}`, `the call ${call + 1}`, callOfAddress(`${site}${path}`))}
          </div>
        </details>`,
    )}
  </section>`;
}

/** Returns the call that lists the airlines of a route. Empty without a route. */
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
