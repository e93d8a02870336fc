import { factList } from '../facts.ts';
import { html } from '../html.ts';
import type { Frame, Page } from '../page.ts';
import { callView, exampleCall, fieldTable, formattedText } from './call-view.ts';
import type { InterfaceData } from './interface-data.ts';
import { codeBlock, codeTabs } from '../code-tabs.ts';

/** The page of the API reference, with a search field and forms that send calls. */
export const interfacePage: Page<InterfaceData> = {
  path: '/docs',
  source: () => '/explorer/interface',
  title: () => 'The API',
  summary: () => 'Every API call with its parameters and responses. You can try each call.',
  view,
};

function view(data: InterfaceData, { site }: Frame) {
  const { version, description, groups } = data;
  return html`<article class="interface">
    <h1>The API <small>Version ${version}</small></h1>
    <div class="reading">
      ${contents(data)}
      <div class="parts">
        ${firstCall(data, site)}
        <section class="endpoint" id="rules" data-found>
          <div class="about">
            <h2>Rules for every call</h2>
            <p>${formattedText(description)}</p>
            <p class="note">
              For programs: <a href="/openapi.json">/openapi.json</a> is an OpenAPI 3.1 document,
              generated from the same schemas as this page.
            </p>
          </div>
        </section>
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

/** Shows the first call in three steps, with its response. */
function firstCall({ groups }: InterfaceData, site: string) {
  const call = groups[0]?.calls[0];
  if (!call) return undefined;
  return html`<section class="endpoint" id="first-call" data-found>
    <div class="about">
      <h2>Your first call</h2>
      <ol class="plain">
        <li>
          Get a key. If you run Headwind yourself, <code>make run</code> prints a key to try.
          Otherwise, the operator of the service creates one with <code>make key</code>.
        </li>
        <li>Put the key into the environment: <code>export HEADWIND_KEY=hw_…</code></li>
        <li>
          Run the code of this section. TypeScript and Python need a client, which is one file:
          ${' '}<a href="/clients/headwind.ts" download><code>headwind.ts</code></a> or ${' '}<a
            href="/clients/headwind.py"
            download
            ><code>headwind.py</code></a
          >.
        </li>
      </ol>
      ${keyField()}
    </div>
    <div class="codes">
      ${codeTabs('first', 'the first call', exampleCall(call, site))}
      ${codeBlock('first-example', 'Response', call.body.example)}
    </div>
  </section>`;
}

/** The field for the API key. Forms do not submit the key, because the field has no `name`. */
function keyField() {
  return html`<div class="key needs-script">
    <label for="api-key">Your key, for calls from this page</label>
    <input
      id="api-key"
      type="password"
      autocomplete="off"
      spellcheck=${false}
      placeholder="hw_test_…"
      aria-describedby="api-key-description"
    />
    <p id="api-key-description">
      Calls sent from this page use this key and count toward its quota. The page does not store the
      key, and shows it neither in addresses nor in code. When you leave or reload, the key is gone.
    </p>
  </div>`;
}

function contents({ groups }: InterfaceData) {
  return html`<nav class="contents" aria-label="On this page">
    <label for="find">Search</label>
    <input id="find" type="search" data-find autocomplete="off" placeholder="airline, 429 …" />
    <ul>
      <li><a href="#first-call">Your first call</a></li>
      <li><a href="#rules">Rules for every call</a></li>
      ${groups.flatMap(({ calls }) =>
        calls.map(({ id, summary }) => html`<li><a href=${`#${id}`}>${summary}</a></li>`),
      )}
      <li><a href="#parts">Shared objects</a></li>
      <li><a href="#refusals">Errors</a></li>
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
    <h2>Errors</h2>
    ${data.refusals.map(
      ({ status, description, example }) =>
        html`<section class="endpoint" id=${`refusal-${status}`} data-found>
          <div class="about">
            <h3>${status}</h3>
            <p>${formattedText(description)}</p>
          </div>
          <div class="codes">
            ${codeBlock(`refusal-${status}-example`, `Example of ${status}`, example)}
          </div>
        </section>`,
    )}
  </section>`;
}

function headers(data: InterfaceData) {
  return html`<section class="endpoint" id="headers" data-found>
    <h2>Headers</h2>
    ${factList(data.headers.map((one) => [one.name, formattedText(one.description)]))}
  </section>`;
}
