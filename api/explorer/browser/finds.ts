/** Words shorter than this are in nearly everything: what holds them stays closed. */
const OPENED_FROM = 3;

/** Shows the parts of a page that have all the words of its search, the rows of tables that have one marked. */
export function followFinds(): void {
  document.addEventListener('input', (event) => {
    const field = event.target as HTMLInputElement;
    if (field.matches('[data-find]')) find(field.value);
  });
}

function find(asked: string): void {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const part of document.querySelectorAll<HTMLElement>('[data-found]')) {
    const text = part.textContent?.toLowerCase() ?? '';
    part.hidden = !words.every((word) => text.includes(word));
    if (part.hidden) continue;
    found += 1;
    mark(part, words);
  }
  for (const group of document.querySelectorAll<HTMLElement>('section:has(> [data-found])')) {
    group.hidden = !group.querySelector(':scope > [data-found]:not([hidden])');
  }
  const told = document.querySelector('#found');
  if (told) told.textContent = found === 0 ? `Nothing here has “${asked}”.` : '';
}

/** Opens what is closed around a row that fits. */
function mark(part: HTMLElement, words: string[]): void {
  const isSearch = words.some((word) => word.length >= OPENED_FROM);
  const opened = new Set<HTMLDetailsElement>();
  for (const row of part.querySelectorAll('tbody tr')) {
    const text = row.textContent?.toLowerCase() ?? '';
    const fits = isSearch && words.some((word) => text.includes(word));
    row.classList.toggle('fits', fits);
    const around = row.closest('details');
    if (fits && around) opened.add(around);
  }
  for (const around of part.querySelectorAll<HTMLDetailsElement>('details:has(tbody)')) {
    around.open = opened.has(around);
  }
}
