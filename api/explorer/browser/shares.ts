import { copyText, flashLabel } from './copies.ts';

/** Handles the share buttons: opens the system's share sheet, or copies the address of the page. */
export function handleShareButtons(): void {
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>('[data-share]');
    if (button) void share(button);
  });
}

async function share(button: HTMLButtonElement): Promise<void> {
  const { href: url } = location;
  const shared = { title: button.dataset['share'] ?? document.title, url };
  // On a computer, people paste a link; on a phone, they choose an app.
  if (matchMedia('(pointer: coarse)').matches && 'share' in navigator) {
    // The visitor may close the share sheet.
    await navigator.share(shared).catch(() => undefined);
    return;
  }
  flashLabel(button, (await copyText(url)) ? 'Link copied' : 'Not allowed');
}
