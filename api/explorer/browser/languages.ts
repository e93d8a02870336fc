const KEY = 'language';

/** Applies the language of code that the visitor chose before; otherwise curl. */
export function applyLanguage(): void {
  document.documentElement.dataset['language'] = localStorage.getItem(KEY) ?? 'curl';
}

/** Handles the language tabs. A choice applies to all blocks of code, on all pages. */
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
    // Code above the tab may change its height. The tab stays in its place on the screen.
    const { top } = button.getBoundingClientRect();
    dataset['language'] = language;
    localStorage.setItem(KEY, language);
    show();
    scrollBy(0, button.getBoundingClientRect().top - top);
  });
  show();
  // Pages that are drawn later have tabs too.
  const app = document.querySelector('#app');
  if (app) new MutationObserver(show).observe(app, { childList: true, subtree: true });
}
