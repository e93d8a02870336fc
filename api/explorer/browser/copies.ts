/** Handles the copy buttons. A button copies the text of an element and shows whether copying worked. */
export function handleCopyButtons(): void {
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>('[data-copy]');
    if (!button) return;
    const text = document.getElementById(button.dataset['copy'] ?? '')?.textContent ?? '';
    void copyText(text).then((isDone) => flashLabel(button, isDone ? 'Copied' : 'Not allowed'));
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

/** Copies without the clipboard API, which browsers do not offer on insecure addresses. */
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

const LABEL_MS = 1_500;

/** Shows a text on the button for a moment. */
export function flashLabel(button: HTMLButtonElement, text: string): void {
  const originalText = (button.dataset['name'] ??= button.textContent ?? '');
  button.textContent = text;
  setTimeout(() => {
    button.textContent = originalText;
  }, LABEL_MS);
}
