/**
 * On a phone, scrolls the row of links until the link of the current page is visible. Does nothing if it is visible
 * already. Style sheets alone do this only when a page loads, and only in some browsers.
 */
export function showCurrentLink(): void {
  const row = document.querySelector('.top .row');
  const link = row?.querySelector('[aria-current]')?.getBoundingClientRect();
  if (!row || !link) return;
  const { left, right } = row.getBoundingClientRect();
  // The style sheet keeps these widths free for the fade and the arrow.
  const { scrollPaddingLeft, scrollPaddingRight } = getComputedStyle(row);
  const from = left + Number.parseFloat(scrollPaddingLeft);
  const until = right - Number.parseFloat(scrollPaddingRight);
  if (link.left >= from && link.right <= until) return;
  row.scrollLeft += (link.left + link.right - from - until) / 2;
}
