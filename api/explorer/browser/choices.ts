import { createList, createItem, placeBelow } from './choice-list.ts';
import { findChoices, type Choice } from './choice-sources.ts';
import { focusNext } from './forms.ts';

/** Shows suggestions below a field while the visitor types. The field is an ARIA combobox with a listbox. */
export function handleChoices(): void {
  const list = createList();
  let field: HTMLInputElement | undefined;
  let choices: Choice[] = [];
  let activeIndex = -1;

  const close = () => {
    list.hidden = true;
    field?.setAttribute('aria-expanded', 'false');
    field?.removeAttribute('aria-activedescendant');
    activeIndex = -1;
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
  const open = (matches: Choice[]) => {
    choices = matches;
    list.replaceChildren(...matches.map(createItem));
    if (!field || matches.length === 0) return close();
    placeBelow(list, field);
    list.hidden = false;
    field.setAttribute('aria-expanded', 'true');
    setActive(-1);
  };
  const choose = (at: number) => {
    const choice = choices[at];
    if (!choice || !field) return;
    field.value = choice.value;
    const hint = field.closest('label')?.querySelector('small');
    if (hint) hint.textContent = choice.name;
    close();
    field.dispatchEvent(new Event('change', { bubbles: true }));
    focusNext(field);
  };
  const suggest = async (input: HTMLInputElement) => {
    // The list must not cover the page before the visitor has done anything.
    if (input.value === '' && !navigator.userActivation.hasBeenActive) return;
    const matches = await findChoices(input);
    if (field === input && document.activeElement === input) open(matches);
  };

  document.addEventListener('focusin', ({ target }) => {
    const input = inputIn(target);
    if (!input) return close();
    field = input;
    input.select();
    void suggest(input);
  });
  document.addEventListener('input', ({ target }) => {
    const input = inputIn(target);
    if (input) void suggest(input);
  });
  document.addEventListener('keydown', (event) => {
    if (inputIn(event.target) === undefined || list.hidden) return;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setActive(
        (activeIndex + step + choices.length + (activeIndex < 0 && step < 0 ? 1 : 0)) %
          choices.length,
      );
    } else if (event.key === 'Escape') close();
    else if (event.key === 'Enter' || event.key === 'Tab') {
      const isEmpty = field?.value.length === 0;
      if (activeIndex < 0 && (event.key === 'Tab' || isEmpty)) return close();
      if (event.key === 'Enter') event.preventDefault();
      choose(Math.max(0, activeIndex));
    }
  });
  // pointerdown comes before the field loses the focus.
  list.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    const item = (event.target as Element).closest('li');
    if (item) choose([...list.children].indexOf(item));
  });
  addEventListener('resize', close);
}

function inputIn(target: EventTarget | null): HTMLInputElement | undefined {
  return target instanceof HTMLInputElement && target.dataset['choices'] ? target : undefined;
}
