const KEY = 'language';

/** Selects the programming language that the visitor chose last; by default curl. */
export function applyLanguage(): void {
  document.documentElement.dataset['language'] = localStorage.getItem(KEY) ?? 'curl';
}

/** Handles the tabs for programming languages. A choice applies to all code on all pages. */
export function handleLanguageTabs(): void {
  const { dataset } = document.documentElement;
  const show = () => {
    for (const button of document.querySelectorAll<HTMLElement>('[data-language-choice]')) {
      const pressed = String(button.dataset['languageChoice'] === dataset['language']);
      if (button.getAttribute('aria-pressed') !== pressed) {
        button.setAttribute('aria-pressed', pressed);
      }
    }
  };
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLElement>('[data-language-choice]');
    const language = button?.dataset['languageChoice'];
    if (!button || language === undefined) return;
    // Scroll so that the clicked tab stays in place, because code above it may change its height.
    const { top } = button.getBoundingClientRect();
    dataset['language'] = language;
    localStorage.setItem(KEY, language);
    show();
    scrollBy(0, button.getBoundingClientRect().top - top);
  });
  show();
  // Later pages have tabs too, so the listener watches the whole app.
  const app = document.querySelector('#app');
  if (app) new MutationObserver(show).observe(app, { childList: true, subtree: true });
}
