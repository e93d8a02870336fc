import type { VNode } from 'preact';
import { html } from '../html.ts';
import { layout } from './layout.ts';

/** The login form for an admin key. */
export function loginPage(problem?: string): VNode {
  return layout(
    { title: 'Log in' },
    problem !== undefined && html`<p class="notice bad" role="alert">${problem}</p>`,
    html`<form class="card narrow login" method="post" action="/ops/login" autocomplete="off">
      <label for="key">Admin key</label>
      <input
        id="key"
        name="key"
        type="password"
        required
        autocomplete="off"
        spellcheck="false"
        aria-describedby="key-note"
      />
      <p id="key-note" class="note">
        <code>make admin-key</code> creates a key. The key is checked and not stored. The session
        ends after eight hours, or when the key is deactivated. Each <code>make run</code> prints an
        address that logs in once without a key.
      </p>
      <button class="main">Log in</button>
    </form>`,
  );
}

/** The page shown for a moment after a visitor opens the one-time address. */
export function enteredPage(): VNode {
  return layout({ title: 'Logged in' }, html`<p><a href="/ops">Go to the overview</a></p>`);
}
