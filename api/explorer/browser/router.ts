import { hydrate, render } from 'preact';
import { takenOver } from '../views/later.ts';
import type { Frame, Page, Problem } from '../views/page.ts';
import { problemPage, problemTitle, shell } from '../views/shell.ts';
import { ask } from './ask.ts';
import { followLinks, type Go } from './links.ts';
import { notice } from './notice.ts';
import { OFFLINE_STATUS } from './offline-paths.ts';
import { pageAt, type Found } from './page-at.ts';
import { remember } from './seen.ts';

type State = { locale: string; data?: object; problem?: Problem };

/** Pages kept, so that going back works without the network. */
const KEPT = 60;
const OFFLINE = 'You are offline. What you have seen stays here; a new question needs the network.';
/** An answer that is there sooner needs no sign that one is waited for. */
const BUSY_AFTER_MS = 150;

/** Follows every link within the explorer, and steps back and forward, without leaving the page. */
export function startRouter(): Go {
  const screen = startScreen();
  const { app } = screen;
  let asking = new AbortController();
  const show = async (address: string, found: Found): Promise<string | undefined> => {
    asking.abort();
    // What differs is how the same data are shown: an hour of the map. To ask for what is shown is to ask anew.
    const same = screen.dataOf(found);
    if (same) {
      const at = found.page.canonical?.(same) ?? address;
      if (at !== hereAddress()) {
        screen.draw(found, same, at);
        return at;
      }
    }
    asking = new AbortController();
    const { signal } = asking;
    const busy = setTimeout(() => app.setAttribute('aria-busy', 'true'), BUSY_AFTER_MS);
    try {
      const outcome = await ask(found.source, signal);
      // Another question may have been asked while this answer was read.
      if (signal.aborted) return undefined;
      if (outcome.kind === 'answer' || outcome.kind === 'seen') {
        const at = found.page.canonical?.(outcome.data) ?? address;
        screen.draw(found, outcome.data, at);
        notice(outcome.kind === 'seen' ? asSeen(outcome.at) : '');
        return at;
      }
      if (outcome.kind === 'problem' && screen.tell(outcome.problem, address)) return address;
      if (outcome.kind === 'offline') notice(OFFLINE);
      screen.stay();
      return undefined;
    } catch {
      return undefined;
    } finally {
      clearTimeout(busy);
      if (asking.signal === signal) app.removeAttribute('aria-busy');
    }
  };
  const go: Go = (address, how = 'push') => {
    const found = pageAt(address);
    if (found) void follow(address, found, how);
    else location.assign(address);
  };
  const follow = async (address: string, found: Found, how: 'push' | 'replace') => {
    const before = pageAt(hereAddress())?.page;
    const at = await show(address, found);
    // What is asked for again is no step.
    if (at === undefined || at === hereAddress()) return;
    history[how === 'push' ? 'pushState' : 'replaceState'](null, '', at);
    if (!isSameView(before, found.page)) toTop();
  };
  const step = async (address: string, found: Found) => {
    const at = await show(address, found);
    if (at !== undefined) history.replaceState(null, '', at);
  };

  followLinks(go);
  addEventListener('popstate', () => {
    // Its answer would take the place of what is gone back to.
    asking.abort();
    const address = hereAddress();
    const found = pageAt(address);
    const data = screen.seenAt(address);
    if (!found) location.reload();
    else if (data) screen.draw(found, data, address);
    else void step(address, found);
  });
  // Without the network the page is a shell: what was seen at its address is put into it.
  const here = pageAt(hereAddress());
  if (screen.isShell && here) void step(hereAddress(), here);
  return go;
}

function asSeen(at: number): string {
  const when = new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return `You are offline. This is as it was on ${when}; a new question needs the network.`;
}

/** What is shown, and at what address; hydrates the page. */
function startScreen() {
  const app = document.querySelector('#app') as HTMLElement;
  const state = JSON.parse(document.querySelector('#state')?.textContent ?? '{}') as State;
  const seen = new Map<string, object>();
  let shown: (Found & { data: object }) | undefined;
  let shownAt = hereAddress();
  const frameAt = (address: string): Frame => frameOf(address, state.locale);
  const found = pageAt(shownAt);
  if (found && state.data) {
    shown = { ...found, data: state.data };
    keep(seen, shownAt, state.data);
    void remember(found.source, state.data);
    hydrate(shell(frameAt(shownAt), found.page.view(state.data, frameAt(shownAt))), app);
  } else if (state.problem) hydrate(shell(frameAt(shownAt), problemPage(state.problem)), app);
  takenOver();
  return {
    app,
    isShell: state.problem?.status === OFFLINE_STATUS,
    draw: (next: Found, data: object, address: string) => {
      const { page } = next;
      [shown, shownAt] = [{ ...next, data }, address];
      keep(seen, address, data);
      render(shell(frameAt(address), page.view(data, frameAt(address))), app);
      document.title = `${page.title(data)} · Headwind`;
    },
    /** Whether it takes the place of what is shown. */
    tell: (problem: Problem, address: string): boolean => {
      const isShown = tell(problem, frameAt(address), app);
      if (isShown) shownAt = address;
      return isShown;
    },
    /** Where a step leads to what cannot be shown, the address is that of the page again. */
    stay: () => {
      if (hereAddress() !== shownAt) history.pushState(null, '', shownAt);
    },
    /** What is shown, if it is of that page and comes from there. */
    dataOf: ({ page, source }: Found) =>
      shown?.source === source && shown.page === page ? shown.data : undefined,
    seenAt: (address: string) => seen.get(address),
  };
}

/** A refusal that passes leaves what is shown, and is said above it; any other takes its place. */
function tell(problem: Problem, frame: Frame, app: HTMLElement): boolean {
  if (problem.status === 429 || problem.status >= 500) {
    notice(problem.message);
    return false;
  }
  render(shell(frame, problemPage(problem)), app);
  document.title = `${problemTitle(problem)} · Headwind`;
  notice('');
  return true;
}

/** Two addresses of one view: who changes one thing stays where they are. */
function isSameView(before: Page | undefined, after: Page): boolean {
  return before?.view === after.view;
}

function toTop(): void {
  scrollTo(0, 0);
  document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
}

function frameOf(address: string, locale: string): Frame {
  return { address, site: location.origin, locale };
}

function hereAddress(): string {
  return location.pathname + location.search;
}

function keep(seen: Map<string, object>, address: string, data: object): void {
  seen.delete(address);
  seen.set(address, data);
  const [oldest = ''] = seen.keys();
  if (seen.size > KEPT) seen.delete(oldest);
}
