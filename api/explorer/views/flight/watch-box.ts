import type { SnippetCall } from '../../../openapi/snippets.ts';
import { codeTabs } from '../code-tabs.ts';
import { html } from '../html.ts';
import type { Flight } from './address.ts';

/**
 * A form that creates a watch. The API then sends changed scores of the flight to an address. Without script, only the
 * call is shown.
 */
export function watchBox({ origin, dest, airline, date, depTime }: Flight, site: string) {
  const fields = {
    ...{ origin, dest, airline, date },
    ...(depTime !== undefined && { dep_time: depTime }),
  };
  return html`<details class="watch">
    <summary>Watch</summary>
    <div class="watching">
      <p>
        If you watch this flight, your server gets a signed message whenever the score changes.
        First, your server must confirm that it wants the messages:
      </p>
      <ol class="plain">
        <li>
          It receives a challenge: ${' '}<code
            >{"type": "watch.challenge", "data": {"challenge": "…"}}</code
          >
        </li>
        <li>
          It must answer within 5 seconds, with status 200 and ${' '}<code>{"challenge": "…"}</code
          >. Without this answer, no watch is created.
        </li>
        <li>
          The response below then contains a secret. Your server verifies each message with it.
        </li>
      </ol>
      <p class="note">
        A watch needs an API key. Creating a watch counts as one call. Each accepted message counts
        as one call too. The key is sent with this one request and is not stored.${' '}<a
          href="/docs#createWatch"
          >How to list and delete watches</a
        >
      </p>
      ${watchForm(fields)} ${codeTabs('watch-code', 'the call', createCall(fields, site))}
    </div>
  </details>`;
}

function createCall(fields: Record<string, string>, site: string): SnippetCall {
  const params = Object.entries({ ...fields, url: 'https://hooks.example/flights' });
  return { origin: site, path: '/api/watches', params, method: 'POST', operationId: 'createWatch' };
}

function watchForm(fields: Record<string, string>) {
  return html`<form
    class="call needs-script"
    action=${`/api/watches?${new URLSearchParams(fields)}`}
    data-call="createWatch"
    data-method="POST"
    data-key="query"
    aria-label="Watch this flight"
  >
    <div class="parameter">
      <label for="api-key">Your key</label>
      <input
        id="api-key"
        type="password"
        autocomplete="off"
        spellcheck=${false}
        placeholder="hw_live_…"
        required
      />
    </div>
    <div class="parameter">
      <label for="watch-url">Address of your server</label>
      <input
        id="watch-url"
        name="url"
        type="url"
        autocomplete="off"
        placeholder="https://hooks.example/flights"
        required
      />
    </div>
    <div class="parameter">
      <label for="watch-points">Smallest change in points</label>
      <input
        id="watch-points"
        name="points"
        inputmode="numeric"
        pattern="[0-9]{1,3}"
        value="10"
        required
      />
    </div>
    <div class="parameter">
      <label for="watch-band">When the band changes</label>
      <select id="watch-band" name="band">
        <option value="true">send a message too</option>
        <option value="false">send no message</option>
      </select>
    </div>
    <div class="send">
      <button type="submit" class="primary">Create the watch</button>
      <p class="outcome" role="status" id="createWatch-outcome"></p>
    </div>
    <pre class="sent" id="createWatch-body" tabindex="0" aria-label="Response" hidden></pre>
  </form>`;
}
