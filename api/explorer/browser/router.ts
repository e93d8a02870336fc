import { hydrate, render } from 'preact';
import { markHydrated } from '../views/deferred-drawing.ts';
import type { Frame, Page, Problem } from '../views/page.ts';
import { problemPage, problemTitle, shell } from '../views/shell.ts';
import { showCurrentLink } from './current-link.ts';
import { fetchEndpoint } from './fetch-endpoint.ts';
import { handleLinks, type Go, pageAt, type PageMatch } from './links.ts';
import { OFFLINE_STATUS } from './offline-paths.ts';
import { saveAnswer } from './saved-answers.ts';
import { keepScrollPositions } from './scroll-positions.ts';

type State = { locale: string; data?: object; problem?: Problem };

/** Number of saved pages. Visitors can go back to these pages offline. */
const MAX_PAGES = 60;
/** Delay before the page shows that it is loading. */
const BUSY_AFTER_MS = 150;

/** Starts the page. From now on, links and the back and forward buttons work without reloading. */
export function startRouter(): Go {
  const screen = startScreen();
  const { app } = screen;
  let pending = new AbortController();
  const show = async (address: string, match: PageMatch): Promise<string | undefined> => {
    pending.abort();
    // Some addresses show the same data in different ways, such as another hour of the map. Moving between them needs
    // no request. A link to the current address loads the data again.
    const same = screen.dataOf(match);
    if (same) {
      const at = match.page.canonical?.(same) ?? address;
      if (at !== hereAddress()) {
        screen.draw(match, same, at);
        return at;
      }
    }
    pending = new AbortController();
    const { signal } = pending;
    const busy = setTimeout(() => app.setAttribute('aria-busy', 'true'), BUSY_AFTER_MS);
    try {
      const outcome = await fetchEndpoint(match.source, signal);
      // A newer request may have started in the meantime.
      if (signal.aborted) return undefined;
      if (outcome.kind === 'answer' || outcome.kind === 'saved') {
        const at = match.page.canonical?.(outcome.data) ?? address;
        screen.draw(match, outcome.data, at);
        showNotice(outcome.kind === 'saved' ? savedText(outcome.at) : '');
        return at;
      }
      if (outcome.kind === 'problem' && screen.showProblem(outcome.problem, address)) {
        return address;
      }
      if (outcome.kind === 'offline') {
        showNotice(`${unreachableText()} Pages you have already opened still work.`);
      }
      screen.restoreAddress();
      return undefined;
    } catch {
      return undefined;
    } finally {
      clearTimeout(busy);
      if (pending.signal === signal) app.removeAttribute('aria-busy');
    }
  };
  const go: Go = (address, mode = 'push') => {
    const match = pageAt(address);
    if (match) void navigate(address, match, mode);
    else location.assign(address);
  };
  const navigate = async (address: string, match: PageMatch, mode: 'push' | 'replace') => {
    const before = pageAt(hereAddress())?.page;
    const at = await show(address, match);
    // Loading the current address again adds no history entry.
    if (at === undefined || at === hereAddress()) return;
    history[mode === 'push' ? 'pushState' : 'replaceState'](null, '', at);
    if (!isSameView(before, match.page)) scrollToTop();
  };
  const replaceWith = async (address: string, match: PageMatch) => {
    const at = await show(address, match);
    if (at !== undefined) history.replaceState(history.state, '', at);
  };

  handleLinks(go);
  const restoreScroll = keepScrollPositions();
  restoreScroll();
  addEventListener('popstate', () => {
    // The answer of the pending request would replace the page that the visitor went back to.
    pending.abort();
    const address = hereAddress();
    const match = pageAt(address);
    const data = screen.dataAt(address);
    if (!match) location.reload();
    else if (data) {
      screen.draw(match, data, address);
      restoreScroll();
    } else void replaceWith(address, match).then(restoreScroll);
  });
  // Offline, the service worker sends a page without data. Show the saved answer for this address instead.
  const page = pageAt(hereAddress());
  if (screen.isShell && page) void replaceWith(hereAddress(), page);
  return go;
}

/**
 * Returns a text that explains why a request failed and what the visitor can do. If the browser is online, the text
 * says that the server did not answer.
 */
function unreachableText(): string {
  return navigator.onLine
    ? 'Headwind did not answer. Please try again.'
    : 'You are offline. New requests need a connection.';
}

function savedText(at: number): string {
  const when = new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  return `${unreachableText()} This page was saved on ${when}.`;
}

/** Takes over the HTML from the server. Returns functions that draw other pages. */
function startScreen() {
  const app = document.querySelector('#app') as HTMLElement;
  const state = JSON.parse(document.querySelector('#state')?.textContent ?? '{}') as State;
  const pages = new Map<string, object>();
  let current: (PageMatch & { data: object }) | undefined;
  let currentAddress = hereAddress();
  const frameAt = (address: string): Frame => frameOf(address, state.locale);
  const match = pageAt(currentAddress);
  if (match && state.data) {
    current = { ...match, data: state.data };
    rememberPage(pages, currentAddress, state.data);
    void saveAnswer(match.source, state.data);
    hydrate(
      shell(frameAt(currentAddress), match.page.view(state.data, frameAt(currentAddress))),
      app,
    );
  } else if (state.problem) {
    hydrate(shell(frameAt(currentAddress), problemPage(state.problem, currentAddress)), app);
  }
  markHydrated();
  showCurrentLink();
  return {
    app,
    isShell: state.problem?.status === OFFLINE_STATUS,
    draw: (next: PageMatch, data: object, address: string) => {
      const { page } = next;
      [current, currentAddress] = [{ ...next, data }, address];
      rememberPage(pages, address, data);
      render(shell(frameAt(address), page.view(data, frameAt(address))), app);
      showCurrentLink();
      document.title = `${page.title(data)} · Headwind`;
    },
    /** Shows a problem. Returns whether the problem replaced the page. */
    showProblem: (problem: Problem, address: string): boolean => {
      const isShown = drawProblem(problem, frameAt(address), app);
      if (isShown) currentAddress = address;
      return isShown;
    },
    /**
     * Restores the address of the visible page, after the visitor went back or forward but the other page did not load.
     */
    restoreAddress: () => {
      if (hereAddress() !== currentAddress) history.pushState(null, '', currentAddress);
    },
    /** Returns the data of the current page if the match has the same page and the same data address. */
    dataOf: ({ page, source }: PageMatch) =>
      current?.source === source && current.page === page ? current.data : undefined,
    dataAt: (address: string) => pages.get(address),
  };
}

/** Shows a temporary problem above the current page. Any other problem replaces the page. */
function drawProblem(problem: Problem, frame: Frame, app: HTMLElement): boolean {
  if (problem.status === 429 || problem.status >= 500) {
    showNotice(problem.message);
    return false;
  }
  render(shell(frame, problemPage(problem, frame.address)), app);
  document.title = `${problemTitle(problem)} · Headwind`;
  showNotice('');
  return true;
}

/** Returns whether both pages look alike. If so, the scroll position stays, for example after a form field changes. */
function isSameView(before: Page | undefined, after: Page): boolean {
  return before?.view === after.view;
}

function scrollToTop(): void {
  scrollTo(0, 0);
  document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
}

function frameOf(address: string, locale: string): Frame {
  return { address, site: location.origin, locale };
}

function hereAddress(): string {
  return location.pathname + location.search;
}

function rememberPage(pages: Map<string, object>, address: string, data: object): void {
  pages.delete(address);
  pages.set(address, data);
  const [oldest = ''] = pages.keys();
  if (pages.size > MAX_PAGES) pages.delete(oldest);
}

/** Shows a notice at the top of the page and announces it to screen readers. An empty text removes the notice. */
function showNotice(text: string): void {
  const place = document.querySelector('#notice');
  if (place && place.textContent !== text) place.textContent = text;
}
