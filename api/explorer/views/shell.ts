import { askForm } from './ask-form.ts';
import { html, type Content } from './html.ts';
import { NAV } from './nav.ts';
import type { Frame, Problem } from './page.ts';

/** What is around every page: its head, its content, and its foot. */
export function shell({ address, site }: Pick<Frame, 'address' | 'site'>, content: Content) {
  const [path = '/'] = address.split('?');
  return html`<a class="skip" href="#main">To the content</a>
    <header class="top">
      <a class="brand" href="/">${mark()}<span>Headwind</span></a>
      <nav aria-label="Pages">
        ${NAV.map(
          ({ href, name }) =>
            html`<a href=${href} aria-current=${isAt(path, href) ? 'page' : undefined}>${name}</a>`,
        )}
      </nav>
      <div class="themes" role="group" aria-label="Colours">
        ${THEMES.map(
          ([theme, name]) =>
            html`<button type="button" data-theme-choice=${theme} aria-pressed="false">
              ${name}
            </button>`,
        )}
      </div>
    </header>
    <p id="notice" class="notice" role="status"></p>
    <main id="main" tabindex="-1">${content}</main>
    <footer class="foot">
      <p>
        Scores rest on public records of the U.S. Bureau of Transportation Statistics, on forecasts
        by ${' '}<a href="https://open-meteo.com/" rel="noopener">Open-Meteo</a> (CC BY 4.0), and on
        airport names by airport-data-js (CC BY 4.0). A score is a forecast, not a promise.
      </p>
      <p>
        <a href="/docs">Interface</a> · <a href="/openapi.json">OpenAPI</a> · ${' '}<a
          href="/status"
          >Status</a
        >
      </p>
      <p class="address">${site}${address}</p>
    </footer>`;
}

const THEMES = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['contrast', 'Contrast'],
] as const;

/** Pages below one of the head belong to it; flights belong to the first. */
function isAt(path: string, href: string): boolean {
  if (href === '/') return path === '/' || path.startsWith('/flights');
  return path === href || path.startsWith(`${href}/`);
}

function mark() {
  return html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <path d="M5 27 L27 5" />
    <path d="M27 5 L16 3 L21 11 Z" class="flag" />
    <path d="M18 14 L8 10" />
    <path d="M13.5 18.5 L6 15.5" />
  </svg>`;
}

/** Its title in a list of pages. */
export function problemTitle({ status }: Problem): string {
  return status > 0 ? `Error ${status}` : 'You are offline';
}

/** What stands where a page could not be made; the form stays at hand. */
export function problemPage({ status, message, param, requestId }: Problem) {
  const asked = { ...(param !== undefined && { wrong: param }) };
  return html`<section class="problem">
    ${status > 0 && html`<p class="code">${status}</p>`}
    <h1>${TITLES[status] ?? (status >= 500 ? TITLES[500] : TITLES[400])}</h1>
    <p>${message}</p>
    ${status >= 500 && html`<p><a href="/status">How the service is</a></p>`}
    ${status >= 500 && requestId !== undefined && html`<p class="note">Request ${requestId}</p>`}
    ${askForm(asked)}
  </section>`;
}

const TITLES: Record<number, string> = {
  0: 'You are offline',
  400: 'That cannot be asked like this',
  404: 'There is nothing to show here',
  429: 'One moment',
  500: 'That went wrong on our side',
  503: 'Not ready yet',
};
