import { LANGUAGES, snippet } from '../../openapi/snippets.ts';

/** Longer than any call takes. */
const PATIENCE_MS = 30_000;

/** Sends the calls that are tried out, and writes what a form holds as code with each change. */
export function followCalls(): void {
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
  const [outcome, shown] = [place(`${id}-outcome`), place(`${id}-body`)];
  if (!outcome || !shown) return;
  const key = document.querySelector<HTMLInputElement>('#api-key')?.value.trim() ?? '';
  const address = addressOf(form);
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (form.dataset['key'] === 'admin') headers['X-Admin-Key'] = key;
  else if (form.dataset['key'] === 'query') address.searchParams.set('api_key', key);
  outcome.textContent = 'Sent …';
  const startedAt = performance.now();
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answer = await fetch(address, { headers, signal, cache: 'no-store' });
    const text = await answer.text();
    const ms = Math.round(performance.now() - startedAt);
    const left = answer.headers.get('X-RateLimit-Remaining');
    outcome.textContent =
      `${answer.status} ${answer.statusText}, ${ms} ms, ${text.length.toLocaleString()} characters` +
      (left === null ? '' : `, ${Number(left).toLocaleString()} calls left this month`);
    shown.textContent = indented(text);
    shown.hidden = false;
  } catch {
    outcome.textContent = 'No answer: the network or the service is away.';
    shown.hidden = true;
  }
}

function writeCode(form: HTMLFormElement): void {
  const address = addressOf(form).href;
  for (const language of LANGUAGES) {
    const shown = place(`${form.dataset['call']}-${language}`)?.firstElementChild;
    if (shown) shown.textContent = snippet(language, address);
  }
}

/** Of the call as the form holds it, without a key. */
function addressOf(form: HTMLFormElement): URL {
  const address = new URL(form.getAttribute('action') ?? '', location.origin);
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && value.trim() !== '') {
      address.searchParams.set(name, value.trim());
    }
  }
  return address;
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function place(id: string): HTMLElement | null {
  return document.getElementById(id);
}
