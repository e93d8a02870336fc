import type { Go } from './links.ts';

/** Handles the forms. Each change and each submit shows the new answer without reloading the page. */
export function handleForms(go: Go): void {
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (!form.matches('[data-ask]')) return;
    event.preventDefault();
    go(addressOf(form));
  });
  document.addEventListener('input', (event) => {
    const { form, name } = event.target as HTMLInputElement;
    if (form?.matches('[data-ask]') && name === 'origin') requireDest(form);
  });
  document.addEventListener('change', (event) => {
    const field = event.target as HTMLInputElement;
    const form = field.form;
    if (!form?.matches('[data-ask]') || field.type === 'range') return;
    requireDest(form);
    if (field.name === 'origin' || field.name === 'dest') clearAirline(form);
    // The form of the first page sends a request only when it is submitted.
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

/**
 * Moves the focus after an airport is chosen. If an airport field is empty, this field gets the focus. Otherwise, the
 * date gets the focus, but only on the first page.
 */
export function focusNext({ form, name }: HTMLInputElement): void {
  if (!form || (name !== 'origin' && name !== 'dest')) return;
  const ends = hasNumber(form) ? ['origin'] : ['origin', 'dest'];
  const emptyField = ends.map((end) => fieldOf(form, end)).find(({ value }) => value === '');
  if (emptyField) emptyField.focus();
  else if (isFirstPage()) fieldOf(form, 'date').focus();
}

/**
 * Focuses the first field of the first page. Does nothing on touch screens, where the keyboard would cover the page.
 */
export function focusFirst(): void {
  if (!isFirstPage() || !matchMedia('(pointer: fine)').matches) return;
  document.querySelector<HTMLInputElement>('[data-ask] [name=origin]')?.focus();
}

/** Makes the destination optional if the first field has a flight number. */
function requireDest(form: HTMLFormElement): void {
  fieldOf(form, 'dest').required = !hasNumber(form);
}

/** Returns whether the first field has a flight number. Only flight numbers have digits. */
function hasNumber(form: HTMLFormElement): boolean {
  return /\d/.test(fieldOf(form, 'origin').value);
}

function isFirstPage(): boolean {
  return location.pathname === '/';
}

/** Clears the airline when the route changes. If the airline flies the new route, the server fills it in again. */
function clearAirline(form: HTMLFormElement): void {
  const airline = fieldOf(form, 'airline');
  if (airline.value === '') return;
  form.dataset['prefers'] = airline.value;
  airline.value = '';
}

/** Returns the address to which the form leads. */
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
