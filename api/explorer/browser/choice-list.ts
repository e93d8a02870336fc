import type { Choice } from '../views/choice.ts';

/**
 * Adds an empty list of suggestions to the page, and a message for screen readers. All form fields share this list and
 * this message.
 */
export function createList(): { list: HTMLUListElement; message: HTMLElement } {
  const list = document.createElement('ul');
  list.id = 'choices';
  list.className = 'choices';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Suggestions');
  list.hidden = true;
  const message = document.createElement('p');
  message.className = 'unseen';
  message.setAttribute('role', 'status');
  document.body.append(list, message);
  return { list, message };
}

/** Creates one suggestion of the list. */
export function createItem({ code, name, detail }: Choice, at: number): HTMLLIElement {
  const item = document.createElement('li');
  item.id = `choice-${at}`;
  item.setAttribute('role', 'option');
  item.setAttribute('aria-selected', 'false');
  item.append(textElement('b', code), textElement('span', name), textElement('small', detail));
  return item;
}

/** Creates the line that is shown if no suggestion matches. The line cannot be chosen. */
export function createNoMatch(typed: string, kind: string): HTMLLIElement {
  const item = document.createElement('li');
  item.className = 'none';
  item.setAttribute('role', 'option');
  item.setAttribute('aria-disabled', 'true');
  item.setAttribute('aria-selected', 'false');
  const [subject, advice] =
    kind === 'airlines' ? ['airline', 'Enter a name or a code.'] : adviceForPlace(typed);
  item.append(
    textElement('span', `No ${subject} matches “${typed}”.`),
    textElement('small', advice),
  );
  return item;
}

/** Like `DL 423`. */
const FLIGHT_NUMBER = /^(?=.*[a-z])[a-z\d]{2} ?\d{1,4}$/i;

function adviceForPlace(typed: string): [subject: string, advice: string] {
  return FLIGHT_NUMBER.test(typed)
    ? [
        'flight number',
        'The history may not have this airline’s flight numbers. Enter airports and airline instead.',
      ]
    : ['airport', 'Enter a city, an airport or a code.'];
}

function textElement(tag: string, text: string): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

/** Places the list below the field, inside the page. */
export function placeBelow(list: HTMLElement, field: HTMLElement): void {
  const { left, bottom, width } = field.getBoundingClientRect();
  const pageWidth = document.documentElement.clientWidth;
  const listWidth = Math.min(Math.max(width, 320), pageWidth - 16);
  list.style.left = `${Math.max(8, Math.min(left, pageWidth - listWidth - 8)) + scrollX}px`;
  list.style.top = `${bottom + scrollY + 4}px`;
  list.style.width = `${listWidth}px`;
}
