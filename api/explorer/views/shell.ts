import { enteredFlight } from './flight/address.ts';
import { compareForm } from './compare/compare-form.ts';
import { flightForm } from './flight-form.ts';
import { enteredRows } from './flight-rows.ts';
import { html, type Content } from './html.ts';
import type { Frame, Problem } from './page.ts';
import { tripForm } from './trips/trip-form.ts';

/** Surrounds a page with header and footer. */
export function shell({ address, site }: Pick<Frame, 'address' | 'site'>, content: Content) {
  const [path = '/'] = address.split('?');
  return html`<a class="skip" href="#main">Skip to content</a>
    <header class="top">
      <a class="brand" href="/" aria-label="Headwind">${logo()}<span>Headwind</span></a>
      <div class="row">
        <nav aria-label="Pages">
          ${NAV.map(
            ({ href, name }) =>
              html`<a href=${href} aria-current=${isCurrent(path, href) ? 'page' : undefined}
                >${name}</a
              >`,
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
      </div>
    </header>
    <p id="notice" class="notice" role="status"></p>
    <main id="main" tabindex="-1">${content}</main>
    <footer class="foot">
      <p>
        Flight records: U.S. Bureau of Transportation Statistics; Hong Kong International Airport,
        by DATA.GOV.HK; Zurich Airport, by openZH (Canton of Zurich); BITRE (Australia). Weather
        forecasts: ${' '}<a href="https://open-meteo.com/" rel="noopener">Open-Meteo</a>
        ${' '}(CC BY 4.0). Airport names: airport-data-js (CC BY 4.0). A score is a forecast, not a
        promise.
      </p>
      <p>
        <a href="/docs">API</a> · <a href="/openapi.json">OpenAPI</a> · ${' '}<a href="/status"
          >Status</a
        >
        ${' '}· <a href="/coverage">Coverage</a> · <a href="/data">Data</a>
      </p>
      <p class="address">${site}${address}</p>
    </footer>`;
}

const THEMES = [
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['contrast', 'Contrast'],
] as const;

/** Returns whether a link in the header leads to the current section. Pages of flights belong to the first link. */
function isCurrent(path: string, href: string): boolean {
  if (href === '/') return path === '/' || path.startsWith('/flights');
  return path === href || path.startsWith(`${href}/`);
}

function logo() {
  return html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <path d="M5 27 L27 5" />
    <path d="M27 5 L16 3 L21 11 Z" class="flag" />
    <path d="M18 14 L8 10" />
    <path d="M13.5 18.5 L6 15.5" />
  </svg>`;
}

/** Returns the title for the browser tab. */
export function problemTitle({ status }: Problem): string {
  return status > 0 ? `Error ${status}` : 'You are offline';
}

/**
 * The error page. It has a form with the values that the visitor entered. For `/compare` and `/trips`, this is the form
 * for several flights. For other pages, it is the form for one flight.
 */
export function problemPage(problem: Problem, address: string) {
  const { status, message, param, requestId } = problem;
  const values = { ...enteredFlight(address), ...(param !== undefined && { wrong: param }) };
  return html`<section class="problem">
    ${status > 0 && html`<p class="code">${status}</p>`}
    <h1>${TITLES[status] ?? (status >= 500 ? TITLES[500] : TITLES[400])}</h1>
    <p>${message}</p>
    ${status >= 500 && html`<p><a href="/status">Service status</a></p>`}
    ${status >= 500 && requestId !== undefined && html`<p class="note">Request ${requestId}</p>`}
    ${formOf(address) ?? flightForm(values)}
  </section>`;
}

/**
 * Returns the form for several flights, with the values that the visitor entered. Only the pages `/compare` and
 * `/trips` have this form. Returns undefined for other pages.
 */
function formOf(address: string): Content | undefined {
  const { pathname, searchParams } = new URL(address, 'http://any');
  if (pathname === '/compare') return compareForm(enteredRows(searchParams));
  if (pathname !== '/trips') return undefined;
  const tickets = searchParams.get('tickets') === 'separate' ? 'separate' : 'one';
  return tripForm(enteredRows(searchParams), { tickets, mct: null });
}

const TITLES: Record<number, string> = {
  0: 'You are offline',
  400: 'This request is not valid',
  404: 'Nothing found',
  429: 'Limit reached',
  500: 'Something went wrong on our side',
  503: 'Not ready yet',
};

/** The links in the header of every page, in order. */
export const NAV: readonly { href: string; name: string }[] = [
  { href: '/', name: 'Score a flight' },
  { href: '/map', name: 'Map' },
  { href: '/airports', name: 'Airports' },
  { href: '/airlines', name: 'Airlines' },
  { href: '/model', name: 'Accuracy' },
  { href: '/record', name: 'Record' },
  { href: '/status', name: 'Status' },
  { href: '/docs', name: 'API' },
];
