import type { Choice } from '../views/choice.ts';
import { createList, createItem, createNoMatch, placeBelow } from './choice-list.ts';
import { findChoices } from './choice-sources.ts';
import { focusNext } from './forms.ts';

/**
 * Shows suggestions below a field while the visitor types. The field is an ARIA combobox with a listbox. The first
 * suggestion for a text is active: Enter or Tab accepts it.
 */
export function handleChoices(): void {
  const list = startList();
  let field: HTMLInputElement | undefined;
  const close = () => list.close(field);
  const choose = (at: number) => {
    const choice = list.choiceAt(at);
    if (!choice || !field) return;
    field.value = choice.value;
    const hint = field.closest('label')?.querySelector('small');
    if (hint) hint.textContent = choice.value === choice.name ? choice.detail : choice.name;
    close();
    field.dispatchEvent(new Event('change', { bubbles: true }));
    focusNext(field);
  };
  const suggest = async (input: HTMLInputElement) => {
    // Do not cover the page with the list before the visitor has done anything.
    if (input.value === '' && !navigator.userActivation.hasBeenActive) return;
    const found = await findChoices(input);
    if (found && field === input && document.activeElement === input) list.open(input, found);
  };
  const handleKey = (event: KeyboardEvent, input: HTMLInputElement) => {
    const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp';
    if (!list.isOpen()) {
      if (isArrow) void suggest(input);
      else if (event.key !== 'Escape' || input.value === '') return;
      else input.value = '';
      event.preventDefault();
    } else if (event.key === 'Escape' || (event.key === 'ArrowUp' && event.altKey)) {
      event.preventDefault();
      close();
    } else if (isArrow) {
      event.preventDefault();
      list.step(input, event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter' || event.key === 'Tab') {
      if (list.activeIndex() < 0) return close();
      if (event.key === 'Enter') event.preventDefault();
      choose(list.activeIndex());
    }
  };

  document.addEventListener('focusin', ({ target }) => {
    const input = inputIn(target);
    if (field !== input) close();
    if (!input) return;
    field = input;
    input.select();
    void suggest(input);
  });
  document.addEventListener('input', ({ target }) => {
    const input = inputIn(target);
    if (!input) return;
    // Until new suggestions arrive, Enter must not accept a suggestion for the previous text.
    list.setActive(input, -1);
    void suggest(input);
  });
  document.addEventListener('keydown', (event) => {
    const input = inputIn(event.target);
    if (input) handleKey(event, input);
  });
  list.handlePresses(choose);
  addEventListener('resize', close);
}

/** Creates the list of suggestions and the functions that control it. */
function startList() {
  const { list, message } = createList();
  let choices: Choice[] = [];
  let activeIndex = -1;
  const setActive = (field: HTMLInputElement, at: number) => {
    activeIndex = at;
    for (const [place, item] of [...list.children].entries()) {
      item.setAttribute('aria-selected', String(place === at));
    }
    if (at >= 0) field.setAttribute('aria-activedescendant', `choice-${at}`);
    else field.removeAttribute('aria-activedescendant');
    list.children[at]?.scrollIntoView({ block: 'nearest' });
  };
  const close = (field: HTMLInputElement | undefined) => {
    list.hidden = true;
    message.textContent = '';
    field?.setAttribute('aria-expanded', 'false');
    field?.removeAttribute('aria-activedescendant');
    [choices, activeIndex] = [[], -1];
  };
  const open = (field: HTMLInputElement, found: Choice[]) => {
    const typed = field.value === field.defaultValue ? '' : field.value.trim();
    if (found.length === 0 && typed === '') return close(field);
    choices = found;
    const none = () => createNoMatch(typed, field.dataset['choices'] ?? '');
    list.replaceChildren(...(found.length > 0 ? found.map(createItem) : [none()]));
    placeBelow(list, field);
    list.hidden = false;
    field.setAttribute('aria-expanded', 'true');
    setActive(field, typed === '' || found.length === 0 ? -1 : 0);
    message.textContent = found.length > 0 ? countText(found.length) : list.textContent;
  };
  return {
    ...{ open, close, setActive },
    isOpen: () => !list.hidden,
    activeIndex: () => activeIndex,
    choiceAt: (at: number) => choices[at],
    step: (field: HTMLInputElement, step: 1 | -1) =>
      setActive(field, stepFrom(activeIndex, step, choices.length)),
    handlePresses: (choose: (at: number) => void) =>
      // This event comes before the field loses the focus.
      list.addEventListener('pointerdown', (event) => {
        event.preventDefault();
        const item = (event.target as Element).closest('li');
        if (item) choose([...list.children].indexOf(item));
      }),
  };
}

/**
 * Returns the index of the next or previous item. After the last item comes the first. If no item is active, returns
 * the first or last index.
 */
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
