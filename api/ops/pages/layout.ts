import type { VNode } from 'preact';
import { html, type Node } from '../html.ts';
import type { Visitor } from '../visitor.ts';

const PLACES = [
  ['/ops', 'Overview'],
  ['/ops/runs', 'Runs'],
  ['/ops/checks', 'Checks'],
  ['/ops/lineage', 'Lineage'],
  ['/ops/jobs', 'Jobs'],
  ['/ops/queues', 'All queues'],
] as const;

export type Frame = { title: string; path?: string; visitor?: Visitor };

/** Returns a whole page: navigation, visitor's name and content. */
export function layout({ title, path, visitor }: Frame, ...content: Node[]): VNode {
  return html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title} · Headwind operations</title>
      <link rel="icon" href="data:," />
      <link rel="stylesheet" href="/ops/files/tokens.css" />
      <link rel="stylesheet" href="/ops/files/ops.css" />
    </head>
    <body>
      <a class="skip" href="#main">Skip to content</a>
      <header>
        <p class="brand">Headwind <span>operations</span></p>
        ${visitor && navigation(path)} ${visitor && visitorForm(visitor)}
      </header>
      <main id="main">
        <h1>${title}</h1>
        ${content}
      </main>
    </body>
  </html>`;
}

function navigation(path: string | undefined): VNode {
  return html`<nav aria-label="Pages">
    <ul>
      ${PLACES.map(
        ([place, name]) =>
          html`<li>
            <a href=${place} aria-current=${place === path ? 'page' : undefined}>${name}</a>
          </li>`,
      )}
    </ul>
  </nav>`;
}

function visitorForm(visitor: Visitor): VNode {
  return html`<form class="who" method="post" action="/ops/logout">
    <input type="hidden" name="token" value=${visitor.token()} />
    Logged in as <code>${visitor.name}</code> <button>Log out</button>
  </form>`;
}
