import type { SnippetCall } from '../../../openapi/snippets.ts';
import { html, type Content } from '../html.ts';
import type { Call, Field, Parameter } from './interface-data.ts';
import { codeBlock, codeTabs } from '../code-tabs.ts';

/** Describes an endpoint: purpose, form to call it, fields of its response, code and an example. */
export function callView(call: Call, site: string) {
  const { id, method, path, summary, description, parameters, body, refusals } = call;
  // Only GET calls get a form, so that nobody changes data by accident. Calls with path parameters do not get a form,
  // because a form cannot fill in a path.
  const hasForm = method === 'GET' && !path.includes('{');
  return html`<section class="endpoint" id=${id} data-found>
    <div class="about">
      <h3>${summary}</h3>
      <p class="path"><code>${method} ${path}</code></p>
      <p>${formattedText(description)} ${formattedText(KEYS[call.key])}</p>
      ${hasForm ? callForm(call) : fieldTable(`Parameters of ${id}`, parameters.map(asField))}
      <details>
        <summary>Fields of the response</summary>
        <div class="fields" id=${body.name}>
          ${fieldTable(`Fields of ${body.name}`, body.fields)}
        </div>
      </details>
      <p class="note">
        Errors:
        ${' '}${refusals.map(
          (status, at) => html`${at > 0 && ', '}<a href=${`#refusal-${status}`}>${status}</a>`,
        )}.
      </p>
    </div>
    <div class="codes">
      ${!call.isAnnounced && codeTabs(id, `the call ${id}`, exampleCall(call, site))}
      ${hasForm && html`<pre class="sent" id=${`${id}-body`} tabindex="0" aria-label="Response" hidden></pre>`}
      ${codeBlock(`${id}-example`, 'Example response', body.example)}
    </div>
  </section>`;
}

const KEYS: Record<Call['key'], string> = {
  none: '',
  query: 'Send your key as `api_key`.',
  admin: 'Send an admin key in the header `X-Admin-Key`.',
};

/** A table of fields with their types and meanings. */
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
          ({ name, type, description }) =>
            html`<tr>
              <th scope="row"><code>${breakable(name)}</code></th>
              <td>${formattedText(type)}</td>
              <td>${formattedText(description)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Marks the type of an optional parameter. */
function asField({ name, type, description, isRequired }: Parameter): Field {
  return { name, type: isRequired ? type : `${type}, optional`, description };
}

/** Allows line breaks after the dots of a name. */
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
  </form>`;
}

function field(call: string, { name, type, description, isRequired, example, input }: Parameter) {
  const id = `${call}-${name}`;
  return html`<div class="parameter">
    <label for=${id}>${name}${isRequired ? '' : html` <small>optional</small>`}</label>
    ${INPUTS[input]({
      ...{
        id,
        name,
        'aria-describedby': `${id}-description`,
        autocomplete: 'off',
        spellcheck: false,
      },
      ...(isRequired ? { required: true, value: example } : { placeholder: example }),
    })}
    <p id=${`${id}-description`}>${formattedText(type)}. ${formattedText(description)}</p>
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
      <option value="">not set</option>
      <option>true</option>
      <option>false</option>
    </select>`,
};

/**
 * Returns a call with example values for its required parameters. The script replaces the values when the form changes.
 */
export function exampleCall({ id, method, path, parameters }: Call, site: string): SnippetCall {
  const params = parameters.flatMap(({ name, example, isRequired }): [string, string][] =>
    isRequired ? [[name, example]] : [],
  );
  return { origin: site, path, params, method, operationId: id };
}

/** Converts text to markup. Backticks become code, and `[Name](#anchor)` becomes a link. */
export function formattedText(text: string): Content[] {
  return text.split(/(`[^`]+`|\[[^\]]+\]\(#[^)]+\))/).map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    const [, name, anchor] = /^\[(.+)\]\((#.+)\)$/.exec(part) ?? [];
    return anchor === undefined ? part : html`<a href=${anchor}>${name}</a>`;
  });
}
