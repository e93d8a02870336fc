const KEY = 'theme';

/** Applies the colours that the visitor chose. Without a choice, the system's colours apply. */
export function applyTheme(): void {
  const theme = localStorage.getItem(KEY);
  if (theme !== null) document.documentElement.dataset['theme'] = theme;
}

/** Handles the colour buttons. A second press on the same button restores the system's colours. */
export function handleThemeButtons(): void {
  const show = () => {
    for (const button of document.querySelectorAll<HTMLElement>('[data-theme-choice]')) {
      const isChosen = button.dataset['themeChoice'] === document.documentElement.dataset['theme'];
      button.setAttribute('aria-pressed', String(isChosen));
    }
  };
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLElement>('[data-theme-choice]');
    const theme = button?.dataset['themeChoice'];
    if (theme === undefined) return;
    const { dataset } = document.documentElement;
    if (dataset['theme'] === theme) {
      delete dataset['theme'];
      localStorage.removeItem(KEY);
    } else {
      dataset['theme'] = theme;
      localStorage.setItem(KEY, theme);
    }
    show();
  });
  show();
}
