import { copyText, flashLabel } from './copies.ts';

/** Handles the share buttons. A button opens the system's share menu, or copies the address of the page. */
export function handleShareButtons(): void {
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>('[data-share]');
    if (button) void share(button);
  });
}

async function share(button: HTMLButtonElement): Promise<void> {
  const { href: url } = location;
  const shared = { title: button.dataset['share'] ?? document.title, url };
  // Phones have a share menu with apps. On computers, people paste links.
  if (matchMedia('(pointer: coarse)').matches && 'share' in navigator) {
    // Closing the share menu rejects the promise.
    await navigator.share(shared).catch(() => undefined);
    return;
  }
  flashLabel(button, (await copyText(url)) ? 'Link copied' : 'Not allowed');
}
