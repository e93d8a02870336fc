/**
 * Shows a notice at the top of the page, also to screen readers. It stays until the next notice; an empty text clears
 * it.
 */
export function showNotice(text: string): void {
  const place = document.querySelector('#notice');
  if (place && place.textContent !== text) place.textContent = text;
}
