import { createList, itemOf, putBeneath } from './choice-list.ts';
import { choicesFor, type Choice } from './choice-sources.ts';
import { focusNext } from './forms.ts';

/** Offers what fits beneath a field that is being typed in: a combobox with a list, as ARIA describes it. */
export function followChoices(): void {
  const list = createList();
  let field: HTMLInputElement | undefined;
  let choices: Choice[] = [];
  let chosen = -1;

  const close = () => {
    list.hidden = true;
    field?.setAttribute('aria-expanded', 'false');
    field?.removeAttribute('aria-activedescendant');
    chosen = -1;
  };
  const mark = (at: number) => {
    chosen = at;
    for (const [place, item] of [...list.children].entries()) {
      item.setAttribute('aria-selected', String(place === at));
    }
    if (at >= 0) field?.setAttribute('aria-activedescendant', `choice-${at}`);
    else field?.removeAttribute('aria-activedescendant');
    list.children[at]?.scrollIntoView({ block: 'nearest' });
  };
  const open = (found: Choice[]) => {
    choices = found;
    list.replaceChildren(...found.map(itemOf));
    if (!field || found.length === 0) return close();
    putBeneath(list, field);
    list.hidden = false;
    field.setAttribute('aria-expanded', 'true');
    mark(-1);
  };
  const take = (at: number) => {
    const choice = choices[at];
    if (!choice || !field) return;
    field.value = choice.value;
    const hint = field.closest('label')?.querySelector('small');
    if (hint) hint.textContent = choice.name;
    close();
    field.dispatchEvent(new Event('change', { bubbles: true }));
    focusNext(field);
  };
  const offer = async (asked: HTMLInputElement) => {
    // A page that has just opened is not covered before anything was done.
    if (asked.value === '' && !navigator.userActivation.hasBeenActive) return;
    const found = await choicesFor(asked);
    if (field === asked && document.activeElement === asked) open(found);
  };

  document.addEventListener('focusin', ({ target }) => {
    const input = inputIn(target);
    if (!input) return close();
    field = input;
    input.select();
    void offer(input);
  });
  document.addEventListener('input', ({ target }) => {
    const input = inputIn(target);
    if (input) void offer(input);
  });
  document.addEventListener('keydown', (event) => {
    if (inputIn(event.target) === undefined || list.hidden) return;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      mark((chosen + step + choices.length + (chosen < 0 && step < 0 ? 1 : 0)) % choices.length);
    } else if (event.key === 'Escape') close();
    else if (event.key === 'Enter' || event.key === 'Tab') {
      const isTyped = field?.value.length === 0;
      if (chosen < 0 && (event.key === 'Tab' || isTyped)) return close();
      if (event.key === 'Enter') event.preventDefault();
      take(Math.max(0, chosen));
    }
  });
  // Before the field loses the focus.
  list.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    const item = (event.target as Element).closest('li');
    if (item) take([...list.children].indexOf(item));
  });
  addEventListener('resize', close);
}

function inputIn(target: EventTarget | null): HTMLInputElement | undefined {
  return target instanceof HTMLInputElement && target.dataset['choices'] ? target : undefined;
}
