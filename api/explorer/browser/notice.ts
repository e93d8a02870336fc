/**
 * Shows a notice at the top of the page, also to screen readers. The notice stays until the next notice. An empty text
 * clears the notice.
 */
export function showNotice(text: string): void {
  const place = document.querySelector('#notice');
  if (place && place.textContent !== text) place.textContent = text;
}
