import { codeBlock } from '../code-block.ts';
import { factList } from '../facts.ts';
import { html } from '../html.ts';
import type { Frame, Page } from '../page.ts';
import { callView, fieldTable } from './call-view.ts';
import type { InterfaceData } from './interface-data.ts';
import { said } from './said.ts';

/** The interface for callers: to read, to search, and to try out. */
export const interfacePage: Page<InterfaceData> = {
  path: '/docs',
  source: () => '/explorer/interface',
  title: () => 'The API',
  summary: () => 'Every call of the API with its parameters and answers, to read and to try out.',
  view,
};

function view(data: InterfaceData, { site }: Frame) {
  const { version, description, groups } = data;
  return html`<article class="interface">
    <h1>The API <small>Interface ${version}</small></h1>
    <p class="lead">${said(description)}</p>
    <p class="note">
      For programs: <a href="/openapi.json">/openapi.json</a>, an OpenAPI 3.1 document, made of the
      same schemas as this page.
    </p>
    ${keyField()}
    <div class="reading">
      ${contents(data)}
      <div class="parts">
        ${groups.map(
          ({ name, description: about, calls }) =>
            html`<section>
              <h2>${name}</h2>
              <p class="note">${about}</p>
              ${calls.map((call) => callView(call, site))}
            </section>`,
        )}
        ${shared(data)} ${refusals(data)} ${headers(data)}
        <p class="nothing" role="status" id="found"></p>
      </div>
    </div>
  </article>`;
}

/** It has no name, so that no form sends it by itself, and the page alone knows it. */
function keyField() {
  return html`<div class="key">
    <label for="api-key">Your key</label>
    <input
      id="api-key"
      type="password"
      autocomplete="off"
      spellcheck=${false}
      placeholder="hw_test_…"
      aria-describedby="api-key-said"
    />
    <p id="api-key-said">
      Used for calls sent from this page, which count. It stays in this page: it is not stored, not
      part of its address and not in the code shown, and is gone when you leave or reload.
    </p>
  </div>`;
}

function contents({ groups }: InterfaceData) {
  return html`<nav class="contents" aria-label="On this page">
    <label for="find">Search</label>
    <input
      id="find"
      type="search"
      data-find
      autocomplete="off"
      placeholder="airline, congestion, 429 …"
    />
    <ul>
      ${groups.flatMap(({ calls }) =>
        calls.map(
          ({ id, path }) => html`<li><a href=${`#${id}`}>${path.replace('/api/', '')}</a></li>`,
        ),
      )}
      <li><a href="#parts">Shared objects</a></li>
      <li><a href="#refusals">Refusals</a></li>
      <li><a href="#headers">Headers</a></li>
    </ul>
  </nav>`;
}

function shared({ parts }: InterfaceData) {
  return html`<section id="parts">
    <h2>Shared objects</h2>
    ${parts.map(
      ({ name, fields }) =>
        html`<section class="endpoint" id=${name} data-found>
          <h3>${name}</h3>
          ${fieldTable(`Fields of ${name}`, fields)}
        </section>`,
    )}
  </section>`;
}

function refusals(data: InterfaceData) {
  return html`<section id="refusals">
    <h2>Refusals</h2>
    ${data.refusals.map(
      ({ status, description, example }) =>
        html`<section class="endpoint" id=${`refusal-${status}`} data-found>
          <h3>${status}</h3>
          <p>${said(description)}</p>
          ${codeBlock(`refusal-${status}-example`, 'For example', example)}
        </section>`,
    )}
  </section>`;
}

function headers(data: InterfaceData) {
  return html`<section class="endpoint" id="headers" data-found>
    <h2>Headers</h2>
    ${factList(data.headers.map((one) => [one.name, said(one.said)]))}
  </section>`;
}
