import { hydrate, render } from 'preact';
import type { Frame, Page, Problem } from '../views/page.ts';
import { problemPage, shell } from '../views/shell.ts';
import { ask } from './ask.ts';
import { followLinks, type Go } from './links.ts';
import { notice } from './notice.ts';
import { pageAt, type Found } from './page-at.ts';

type State = { locale: string; data?: object; problem?: Problem };

/** Pages kept, so that going back works without the network. */
const KEPT = 60;
/** An answer that is there sooner needs no sign that one is waited for. */
const BUSY_AFTER_MS = 150;

/** Hydrates the page, and follows every link within the explorer from then on. */
export function startRouter(): Go {
  const app = document.querySelector('#app') as HTMLElement;
  const state = JSON.parse(document.querySelector('#state')?.textContent ?? '{}') as State;
  const seen = new Map<string, object>();
  let asking = new AbortController();
  let shown: (Found & { data: object }) | undefined;
  const frameAt = (address: string): Frame => frameOf(address, state.locale);
  const draw = (found: Found, data: object, address: string) => {
    const { page } = found;
    shown = { ...found, data };
    keep(seen, address, data);
    render(shell(frameAt(address), page.view(data, frameAt(address))), app);
    document.title = `${page.title(data)} · Headwind`;
  };
  const show = async (address: string, found: Found): Promise<string | undefined> => {
    const { page, source } = found;
    // What differs is how the same data are shown: an hour of the map. To ask for what is shown is to ask anew.
    if (shown?.source === source && shown.page === page && address !== hereAddress()) {
      draw(found, shown.data, address);
      return address;
    }
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    const busy = setTimeout(() => app.setAttribute('aria-busy', 'true'), BUSY_AFTER_MS);
    try {
      const outcome = await ask(source, signal);
      // Another question may have been asked while this answer was read.
      if (signal.aborted) return undefined;
      if (outcome.kind === 'offline') {
        notice('You are offline. What you have seen stays here; a new question needs the network.');
        return undefined;
      }
      if (outcome.kind === 'problem') {
        const isShown = tell(outcome.problem, frameAt(address), app);
        return isShown ? address : undefined;
      }
      const at = page.canonical?.(outcome.data) ?? address;
      draw(found, outcome.data, at);
      notice('');
      return at;
    } catch {
      return undefined;
    } finally {
      clearTimeout(busy);
      if (asking.signal === signal) app.removeAttribute('aria-busy');
    }
  };
  const takeOver = () => {
    const address = hereAddress();
    const found = pageAt(address);
    if (found && state.data) {
      shown = { ...found, data: state.data };
      keep(seen, address, state.data);
      hydrate(shell(frameAt(address), found.page.view(state.data, frameAt(address))), app);
    } else if (state.problem) hydrate(shell(frameAt(address), problemPage(state.problem)), app);
  };
  const go: Go = (address, how = 'push') => {
    const found = pageAt(address);
    if (found) void follow(address, found, how);
    else location.assign(address);
  };
  const follow = async (address: string, found: Found, how: 'push' | 'replace') => {
    const before = pageAt(hereAddress())?.page;
    const at = await show(address, found);
    if (at === undefined) return;
    history[how === 'push' ? 'pushState' : 'replaceState'](null, '', at);
    if (!isSameView(before, found.page)) toTop();
  };

  takeOver();
  followLinks(go);
  addEventListener('popstate', () => {
    const address = hereAddress();
    const found = pageAt(address);
    const data = seen.get(address);
    if (!found) location.reload();
    else if (data) draw(found, data, address);
    else void show(address, found);
  });
  return go;
}

/** A refusal that passes leaves what is shown, and is said above it; any other takes its place. */
function tell(problem: Problem, frame: Frame, app: HTMLElement): boolean {
  if (problem.status === 429 || problem.status >= 500) {
    notice(problem.message);
    return false;
  }
  render(shell(frame, problemPage(problem)), app);
  document.title = `Error ${problem.status} · Headwind`;
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
