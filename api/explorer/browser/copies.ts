/** Puts the text of a place into the clipboard where a button says so, and tells it on the button. */
export function followCopies(): void {
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>('[data-copy]');
    if (!button) return;
    const text = document.getElementById(button.dataset['copy'] ?? '')?.textContent ?? '';
    void copyText(text).then((isDone) => said(button, isDone ? 'Copied' : 'Not allowed'));
  });
}

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Pages that are not at a secure address have no clipboard to write to. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'aside';
  document.body.append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  return isDone;
}

const TOLD_MS = 1_500;

/** Shows on the button what came of it, for a moment. */
export function said(button: HTMLButtonElement, text: string): void {
  const before = (button.dataset['name'] ??= button.textContent ?? '');
  button.textContent = text;
  setTimeout(() => {
    button.textContent = before;
  }, TOLD_MS);
}
