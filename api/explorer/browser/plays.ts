/** Handles the hour slider of the map and the button that plays the hours. */
import { addressOf } from './forms.ts';
import type { Go } from './links.ts';

/** Time per hour while playing. */
const HOUR_MS = 850;

let timer: ReturnType<typeof setInterval> | undefined;

/** Handles the slider and the play button. */
export function handlePlayback(go: Go): void {
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
    if (timer !== undefined) {
      stop();
      return;
    }
    step(go);
    // If the visitor prefers reduced motion, each press moves the map by only one hour.
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    button.textContent = '❚❚';
    button.setAttribute('aria-label', 'Stop');
    timer = setInterval(() => step(go), HOUR_MS);
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
  clearInterval(timer);
  timer = undefined;
  const button = document.querySelector('[data-play]');
  if (!button) return;
  button.textContent = '▶';
  button.setAttribute('aria-label', 'Play the hours of the day');
}
