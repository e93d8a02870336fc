import type { Go } from './links.ts';

/** Asks at each change of a form, and when it is sent, without leaving the page. */
export function followForms(go: Go): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (!form.matches('[data-ask]')) return;
    event.preventDefault();
    go(addressOf(form));
  });
  document.addEventListener('change', (event) => {
    const field = event.target as HTMLInputElement;
    const form = field.form;
    if (!form?.matches('[data-ask]') || field.type === 'range') return;
    if (field.name === 'origin' || field.name === 'dest') forgetAirline(form);
    // On the first page nothing is asked before it is sent.
    if (!isFirstPage() && form.checkValidity()) go(addressOf(form));
  });
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest('[data-swap]');
    const form = button?.closest('form');
    if (!form) return;
    const [origin, dest] = [fieldOf(form, 'origin'), fieldOf(form, 'dest')];
    [origin.value, dest.value] = [dest.value, origin.value];
    origin.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

/** The field that stands open once an end of the flight is chosen: the other end, or on the first page the date. */
export function focusNext({ form, name }: HTMLInputElement): void {
  if (!form || (name !== 'origin' && name !== 'dest')) return;
  const open = ['origin', 'dest']
    .map((end) => fieldOf(form, end))
    .find(({ value }) => value === '');
  if (open) open.focus();
  else if (isFirstPage()) fieldOf(form, 'date').focus();
}

/** On the first page what is asked for begins at once; a keyboard of glass would cover it. */
export function focusFirst(): void {
  if (!isFirstPage() || !matchMedia('(pointer: fine)').matches) return;
  document.querySelector<HTMLInputElement>('[data-ask] [name=origin]')?.focus();
}

function isFirstPage(): boolean {
  return location.pathname === '/';
}

/** The airline may not fly the other route: it is kept if it does. */
function forgetAirline(form: HTMLFormElement): void {
  const airline = fieldOf(form, 'airline');
  if (airline.value === '') return;
  form.dataset['prefers'] = airline.value;
  airline.value = '';
}

/** The address a form leads to with what is in it. */
export function addressOf(form: HTMLFormElement): string {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && value.trim() !== '') query.set(name, value.trim());
  }
  const prefers = form.dataset['prefers'];
  if (prefers !== undefined && !query.has('airline')) query.set('prefers', prefers);
  return `${form.getAttribute('action')}?${query}`;
}

function fieldOf(form: HTMLFormElement, name: string): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement;
}
