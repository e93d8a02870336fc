/** Says something at the top of the page, to screen readers too; nothing takes it away. */
export function notice(text: string): void {
  const place = document.querySelector('#notice');
  if (place && place.textContent !== text) place.textContent = text;
}
