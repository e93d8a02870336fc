import type { Choice } from '../views/choice.ts';
import { createList, createItem, createNoMatch, placeBelow } from './choice-list.ts';
import { findChoices } from './choice-sources.ts';
import { focusNext } from './forms.ts';

/**
 * Shows suggestions below a field while the visitor types. The field is an ARIA combobox with a listbox. The first
 * suggestion for a typed text is active, so Enter and Tab accept it.
 */
export function handleChoices(): void {
  const { list, message } = createList();
  let field: HTMLInputElement | undefined;
  let choices: Choice[] = [];
  let activeIndex = -1;

  const close = () => {
    list.hidden = true;
    message.textContent = '';
    field?.setAttribute('aria-expanded', 'false');
    field?.removeAttribute('aria-activedescendant');
    [choices, activeIndex] = [[], -1];
  };
  const setActive = (at: number) => {
    activeIndex = at;
    for (const [place, item] of [...list.children].entries()) {
      item.setAttribute('aria-selected', String(place === at));
    }
    if (at >= 0) field?.setAttribute('aria-activedescendant', `choice-${at}`);
    else field?.removeAttribute('aria-activedescendant');
    list.children[at]?.scrollIntoView({ block: 'nearest' });
  };
  const open = (input: HTMLInputElement, found: Choice[]) => {
    const typed = input.value === input.defaultValue ? '' : input.value.trim();
    if (found.length === 0 && typed === '') return close();
    choices = found;
    const items =
      found.length > 0
        ? found.map(createItem)
        : [createNoMatch(typed, input.dataset['choices'] ?? '')];
    list.replaceChildren(...items);
    placeBelow(list, input);
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    setActive(typed === '' || found.length === 0 ? -1 : 0);
    message.textContent = found.length > 0 ? countText(found.length) : list.textContent;
  };
  const choose = (at: number) => {
    const choice = choices[at];
    if (!choice || !field) return;
    field.value = choice.value;
    const hint = field.closest('label')?.querySelector('small');
    if (hint) hint.textContent = choice.value === choice.name ? choice.detail : choice.name;
    close();
    field.dispatchEvent(new Event('change', { bubbles: true }));
    focusNext(field);
  };
  const suggest = async (input: HTMLInputElement) => {
    // The list must not cover the page before the visitor has done anything.
    if (input.value === '' && !navigator.userActivation.hasBeenActive) return;
    const found = await findChoices(input);
    if (found && field === input && document.activeElement === input) open(input, found);
  };
  const handleKey = (event: KeyboardEvent, input: HTMLInputElement) => {
    if (list.hidden) {
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') void suggest(input);
      else if (event.key !== 'Escape' || input.value === '') return;
      else input.value = '';
      event.preventDefault();
    } else if (event.key === 'Escape' || (event.key === 'ArrowUp' && event.altKey)) {
      event.preventDefault();
      close();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setActive(stepFrom(activeIndex, event.key === 'ArrowDown' ? 1 : -1, choices.length));
    } else if (event.key === 'Enter' || event.key === 'Tab') {
      if (activeIndex < 0) return close();
      if (event.key === 'Enter') event.preventDefault();
      choose(activeIndex);
    }
  };

  document.addEventListener('focusin', ({ target }) => {
    const input = inputIn(target);
    if (!input) return close();
    if (field !== input) close();
    field = input;
    input.select();
    void suggest(input);
  });
  document.addEventListener('input', ({ target }) => {
    const input = inputIn(target);
    if (!input) return;
    // Until the new suggestions arrive, Enter must not accept a suggestion for the former text.
    setActive(-1);
    void suggest(input);
  });
  document.addEventListener('keydown', (event) => {
    const input = inputIn(event.target);
    if (input) handleKey(event, input);
  });
  // pointerdown comes before the field loses the focus.
  list.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    const item = (event.target as Element).closest('li');
    if (item) choose([...list.children].indexOf(item));
  });
  addEventListener('resize', close);
}

/** Returns the next index in a list without ends. From outside the list, a step leads to its first or last index. */
function stepFrom(index: number, step: number, count: number): number {
  if (count === 0) return -1;
  if (index < 0) return step > 0 ? 0 : count - 1;
  return (index + step + count) % count;
}

function countText(count: number): string {
  return count === 1 ? '1 suggestion' : `${count} suggestions`;
}

function inputIn(target: EventTarget | null): HTMLInputElement | undefined {
  return target instanceof HTMLInputElement && target.dataset['choices'] ? target : undefined;
}
