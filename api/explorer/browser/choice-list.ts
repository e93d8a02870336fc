import type { Choice } from './choice-sources.ts';

/** Appends an empty suggestion list to the page. All fields share this list. */
export function createList(): HTMLUListElement {
  const list = document.createElement('ul');
  list.id = 'choices';
  list.className = 'choices';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Suggestions');
  list.hidden = true;
  document.body.append(list);
  return list;
}

/** Creates one line of the list. */
export function createItem({ value, name, detail }: Choice, at: number): HTMLLIElement {
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

/** Places the list below the field, inside the page. */
export function placeBelow(list: HTMLElement, field: HTMLElement): void {
  const { left, bottom, width } = field.getBoundingClientRect();
  const pageWidth = document.documentElement.clientWidth;
  const listWidth = Math.min(Math.max(width, 320), pageWidth - 16);
  list.style.left = `${Math.max(8, Math.min(left, pageWidth - listWidth - 8)) + scrollX}px`;
  list.style.top = `${bottom + scrollY + 4}px`;
  list.style.width = `${listWidth}px`;
}
