import type { Choice } from './choice-sources.ts';

/** An empty list at the end of the page, for all fields. */
export function createList(): HTMLUListElement {
  const list = document.createElement('ul');
  list.id = 'choices';
  list.className = 'choices';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'What fits');
  list.hidden = true;
  document.body.append(list);
  return list;
}

/** A line of the list. */
export function itemOf({ value, name, detail }: Choice, at: number): HTMLLIElement {
  const item = document.createElement('li');
  item.id = `choice-${at}`;
  item.setAttribute('role', 'option');
  const code = document.createElement('b');
  code.textContent = value;
  const words = document.createElement('span');
  words.textContent = name;
  const small = document.createElement('small');
  small.textContent = detail;
  item.append(code, words, small);
  return item;
}

/** Puts the list beneath the field, within the page. */
export function putBeneath(list: HTMLElement, field: HTMLElement): void {
  const { left, bottom, width } = field.getBoundingClientRect();
  const room = document.documentElement.clientWidth;
  const wide = Math.min(Math.max(width, 320), room - 16);
  list.style.left = `${Math.max(8, Math.min(left, room - wide - 8)) + scrollX}px`;
  list.style.top = `${bottom + scrollY + 4}px`;
  list.style.width = `${wide}px`;
}
