import { hydrate, render } from 'preact';
import { markHydrated } from '../views/deferred-drawing.ts';
import type { Frame, Page, Problem } from '../views/page.ts';
import { problemPage, problemTitle, shell } from '../views/shell.ts';
import { fetchEndpoint } from './fetch-endpoint.ts';
import { handleLinks, type Go, pageAt, type PageMatch } from './links.ts';
import { OFFLINE_STATUS } from './offline-paths.ts';
import { saveAnswer } from './saved-answers.ts';
import { keepScrollPositions } from './scroll-positions.ts';

type State = { locale: string; data?: object; problem?: Problem };

/** Number of pages cached, so that going back works offline. */
const MAX_PAGES = 60;
const OFFLINE =
  'You are offline. Pages you have already opened still work. New requests need a connection.';
/** Delay before the page shows that it is busy. */
const BUSY_AFTER_MS = 150;

/** Hydrates the page. From then on, follows explorer links and back and forward steps without a reload. */
export function startRouter(): Go {
  const screen = startScreen();
  const { app } = screen;
  let pending = new AbortController();
  const show = async (address: string, match: PageMatch): Promise<string | undefined> => {
    pending.abort();
    // Some addresses differ only in how the same data are shown, for example in the hour of the map. Moving between
    // such addresses needs no request. A link to the current address repeats the request.
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
      // A newer request may have started while this answer was read.
      if (signal.aborted) return undefined;
      if (outcome.kind === 'answer' || outcome.kind === 'saved') {
        const at = match.page.canonical?.(outcome.data) ?? address;
        screen.draw(match, outcome.data, at);
        showNotice(outcome.kind === 'saved' ? offlineText(outcome.at) : '');
        return at;
      }
      if (outcome.kind === 'problem' && screen.showProblem(outcome.problem, address)) {
        return address;
      }
      if (outcome.kind === 'offline') showNotice(OFFLINE);
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
    // A repeated request for the current address adds no history entry.
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
    // The pending answer would replace the page the visitor went back to.
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
  // Offline, the service worker serves a page without data. The page then shows the answer saved for this address.
  const page = pageAt(hereAddress());
  if (screen.isShell && page) void replaceWith(hereAddress(), page);
  return go;
}

function offlineText(at: number): string {
  const when = new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  return `You are offline. This page was saved on ${when}. New requests need a connection.`;
}

/** Hydrates the page, and returns functions that draw other pages into it. */
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
  return {
    app,
    isShell: state.problem?.status === OFFLINE_STATUS,
    draw: (next: PageMatch, data: object, address: string) => {
      const { page } = next;
      [current, currentAddress] = [{ ...next, data }, address];
      rememberPage(pages, address, data);
      render(shell(frameAt(address), page.view(data, frameAt(address))), app);
      document.title = `${page.title(data)} · Headwind`;
    },
    /** Shows the problem. Returns whether the problem replaced the current page. */
    showProblem: (problem: Problem, address: string): boolean => {
      const isShown = drawProblem(problem, frameAt(address), app);
      if (isShown) currentAddress = address;
      return isShown;
    },
    /** Restores the address of the current page after a back or forward step that failed. */
    restoreAddress: () => {
      if (hereAddress() !== currentAddress) history.pushState(null, '', currentAddress);
    },
    /** Returns the current data if the data belong to this page and come from this source. */
    dataOf: ({ page, source }: PageMatch) =>
      current?.source === source && current.page === page ? current.data : undefined,
    dataAt: (address: string) => pages.get(address),
  };
}

/** Shows a temporary problem as a notice above the current page, and any other problem in place of the page. */
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

/** Whether both pages have the same view. If so, the scroll position stays, for example after one value changes. */
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

/**
 * Shows a notice at the top of the page, also to screen readers. The notice stays until the next notice. An empty text
 * clears the notice.
 */
function showNotice(text: string): void {
  const place = document.querySelector('#notice');
  if (place && place.textContent !== text) place.textContent = text;
}
