import { LANGUAGES, snippet } from '../../openapi/snippets.ts';

/** Time limit for a call, much longer than any call takes. */
const TIMEOUT_MS = 30_000;

/** Sends the API calls of the forms on `/docs`. Updates the code next to a form whenever the form changes. */
export function handleCalls(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (!form.matches('[data-call]')) return;
    event.preventDefault();
    void send(form);
  });
  document.addEventListener('input', (event) => {
    const form = (event.target as HTMLInputElement).form;
    if (form?.matches('[data-call]')) writeCode(form);
  });
}

async function send(form: HTMLFormElement): Promise<void> {
  const id = form.dataset['call'] ?? '';
  const [outcome, shown] = [elementById(`${id}-outcome`), elementById(`${id}-body`)];
  if (!outcome || !shown) return;
  const key = document.querySelector<HTMLInputElement>('#api-key')?.value.trim() ?? '';
  const address = addressOf(form);
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (form.dataset['key'] === 'admin') headers['X-Admin-Key'] = key;
  else if (form.dataset['key'] === 'query') address.searchParams.set('api_key', key);
  outcome.textContent = 'Sending …';
  const startedAt = performance.now();
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const { method = 'GET' } = form.dataset;
    const answer = await fetch(address, { method, headers, signal, cache: 'no-store' });
    const text = await answer.text();
    const ms = Math.round(performance.now() - startedAt);
    const remaining = answer.headers.get('X-RateLimit-Remaining');
    outcome.textContent =
      `${answer.status} ${answer.statusText}, ${ms} ms, ${text.length.toLocaleString('en-GB')} characters` +
      (remaining === null
        ? ''
        : `, ${Number(remaining).toLocaleString('en-GB')} calls left this month`);
    shown.textContent = formatJson(text);
    shown.hidden = false;
  } catch {
    outcome.textContent =
      'No response: the network or the service is unavailable. Please try again.';
    shown.hidden = true;
  }
}

function writeCode(form: HTMLFormElement): void {
  const address = addressOf(form).href;
  for (const language of LANGUAGES) {
    const shown = elementById(`${form.dataset['call']}-${language}`)?.firstElementChild;
    if (shown) shown.textContent = snippet(language, address);
  }
}

/** Returns the address of the form's API call, without a key. */
function addressOf(form: HTMLFormElement): URL {
  const address = new URL(form.getAttribute('action') ?? '', location.origin);
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && value.trim() !== '') {
      address.searchParams.set(name, value.trim());
    }
  }
  return address;
}

function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function elementById(id: string): HTMLElement | null {
  return document.getElementById(id);
}
