import { LANGUAGES, snippet } from '../../../openapi/snippets.ts';
import { codeBlock, LANGUAGE_NAMES } from '../code-block.ts';
import { html, type Content } from '../html.ts';
import type { Call, Field, Parameter } from './interface-data.ts';
import { said } from './said.ts';

/** An endpoint: what it is for, a form to call it with, the same as code, and all of its answer. */
export function callView(call: Call, site: string) {
  const { id, path, summary, description, body, refusals } = call;
  return html`<section class="endpoint" id=${id} data-found>
    <h3>${summary}</h3>
    <p class="path"><code>GET ${path}</code></p>
    <p>${said(description)} ${said(KEYS[call.key])}</p>
    ${callForm(call)} ${codeOf(call, site)}
    <details>
      <summary>Answer</summary>
      <div class="fields" id=${body.name}>
        ${fieldTable(`Fields of ${body.name}`, body.fields)}
        ${codeBlock(`${id}-example`, 'An answer, for example', body.example)}
      </div>
    </details>
    <p class="note">
      Refused with
      ${' '}${refusals.map(
        (status, at) => html`${at > 0 && ', '}<a href=${`#refusal-${status}`}>${status}</a>`,
      )}.
    </p>
  </section>`;
}

const KEYS: Record<Call['key'], string> = {
  none: '',
  query: 'Takes your key as `api_key`.',
  admin: 'Takes an admin key, which goes into the header `X-Admin-Key` here.',
};

/** Rows of fields, each with its type and what it means. */
export function fieldTable(caption: string, fields: readonly Field[]) {
  return html`<div class="table" tabindex="0" role="region" aria-label=${caption}>
    <table>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Type</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${fields.map(
          ({ name, type, said: meaning }) =>
            html`<tr>
              <th scope="row"><code>${breakable(name)}</code></th>
              <td>${said(type)}</td>
              <td>${said(meaning)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** A long name may go on in the next line after each of its dots. */
function breakable(name: string) {
  return name.split(/(?<=\.)/).map((part, at) => (at === 0 ? part : html`<wbr />${part}`));
}

function callForm({ id, path, key, parameters, summary }: Call) {
  return html`<form
    class="call"
    action=${path}
    data-call=${id}
    data-key=${key}
    aria-label=${summary}
  >
    ${parameters.map((parameter) => field(id, parameter))}
    <div class="send">
      <button type="submit" class="primary">Send</button>
      <p class="outcome" role="status" id=${`${id}-outcome`}></p>
    </div>
    <pre class="sent" id=${`${id}-body`} tabindex="0" aria-label="What was answered" hidden></pre>
  </form>`;
}

function field(call: string, { name, type, said: meaning, isRequired, example, input }: Parameter) {
  const id = `${call}-${name}`;
  return html`<div class="parameter">
    <label for=${id}>${name}${isRequired ? '' : html` <small>optional</small>`}</label>
    ${INPUTS[input]({
      ...{ id, name, 'aria-describedby': `${id}-said`, autocomplete: 'off', spellcheck: false },
      ...(isRequired ? { required: true, value: example } : { placeholder: example }),
    })}
    <p id=${`${id}-said`}>${said(type)}. ${said(meaning)}</p>
  </div>`;
}

type Attributes = Record<string, unknown>;

const INPUTS: Record<Parameter['input'], (attributes: Attributes) => Content> = {
  text: (attributes) => html`<input ...${attributes} />`,
  date: (attributes) => html`<input type="date" ...${attributes} />`,
  time: (attributes) => html`<input type="time" ...${attributes} />`,
  number: (attributes) => html`<input inputmode="numeric" pattern="[0-9]+" ...${attributes} />`,
  flag: ({ id, name, 'aria-describedby': describedBy }) =>
    html`<select id=${id} name=${name} aria-describedby=${describedBy}>
      <option value="">not given</option>
      <option>true</option>
      <option>false</option>
    </select>`,
};

/** What the form holds as calls in code; `data-language` has the browser write them anew with each change. */
function codeOf({ id, path, parameters, isAnnounced }: Call, site: string) {
  if (isAnnounced) return undefined;
  const given = parameters.flatMap(({ name, example, isRequired }) =>
    isRequired ? [[name, example]] : [],
  );
  const address = `${site}${path}?${new URLSearchParams(given)}`;
  return html`<details class="snippets">
    <summary>In code</summary>
    <div class="codes-of">
      ${LANGUAGES.map((language) =>
        codeBlock(`${id}-${language}`, LANGUAGE_NAMES[language], snippet(language, address)),
      )}
    </div>
  </details>`;
}
