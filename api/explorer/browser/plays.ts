/** Lets a form with hours be slid through, and played hour by hour. */
import { addressOf } from './forms.ts';
import type { Go } from './links.ts';

/** How long an hour is shown. */
const HOUR_MS = 850;

let playing: ReturnType<typeof setInterval> | undefined;

export function followPlays(go: Go): void {
  document.addEventListener('input', (event) => {
    const field = event.target as HTMLInputElement;
    if (field.type !== 'range' || !field.form?.matches('[data-live]')) return;
    go(addressOf(field.form), 'replace');
  });
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>('[data-play]');
    if (!button) {
      if ((event.target as Element).closest('a[href]')) stop();
      return;
    }
    if (playing !== undefined) {
      stop();
      return;
    }
    step(go);
    // Who wants nothing to move by itself moves it: an hour for each press.
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    button.textContent = '❚❚';
    button.setAttribute('aria-label', 'Stop');
    playing = setInterval(() => step(go), HOUR_MS);
  });
}

function step(go: Go): void {
  const field = document.querySelector<HTMLInputElement>('[data-live] input[type=range]');
  if (!field?.form) {
    stop();
    return;
  }
  field.value = String((Number(field.value) + 1) % (Number(field.max) + 1));
  go(addressOf(field.form), 'replace');
}

function stop(): void {
  clearInterval(playing);
  playing = undefined;
  const button = document.querySelector('[data-play]');
  if (!button) return;
  button.textContent = '▶';
  button.setAttribute('aria-label', 'Play the hours of the day');
}
