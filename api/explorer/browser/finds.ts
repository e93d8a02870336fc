/** Minimum length of a search word that highlights rows and opens tables. Shorter words occur almost everywhere. */
const MIN_WORD_LENGTH = 3;

/**
 * Searches the page for the words in the search field. Hides the elements marked `data-found` that do not contain all
 * words. Highlights table rows that contain at least one word.
 */
export function handleSearch(): void {
  document.addEventListener('input', (event) => {
    const field = event.target as HTMLInputElement;
    if (field.matches('[data-find]')) filterParts(field.value);
  });
}

function filterParts(text: string): void {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  let matchCount = 0;
  for (const part of document.querySelectorAll<HTMLElement>('[data-found]')) {
    const text = part.textContent?.toLowerCase() ?? '';
    part.hidden = !words.every((word) => text.includes(word));
    if (part.hidden) continue;
    matchCount += 1;
    highlightRows(part, words);
  }
  for (const group of document.querySelectorAll<HTMLElement>('section:has(> [data-found])')) {
    group.hidden = !group.querySelector(':scope > [data-found]:not([hidden])');
  }
  const message = document.querySelector('#found');
  if (message) message.textContent = matchCount === 0 ? `Nothing here matches “${text}”.` : '';
}

/** Highlights matching rows and opens the folded tables around them. */
function highlightRows(part: HTMLElement, words: string[]): void {
  const isSearch = words.some((word) => word.length >= MIN_WORD_LENGTH);
  const detailsToOpen = new Set<HTMLDetailsElement>();
  for (const row of part.querySelectorAll('tbody tr')) {
    const text = row.textContent?.toLowerCase() ?? '';
    const isMatch = isSearch && words.some((word) => text.includes(word));
    row.classList.toggle('fits', isMatch);
    const around = row.closest('details');
    if (isMatch && around) detailsToOpen.add(around);
  }
  for (const around of part.querySelectorAll<HTMLDetailsElement>('details:has(tbody)')) {
    around.open = detailsToOpen.has(around);
  }
}
