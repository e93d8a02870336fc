import { composeExport } from './export-svg.ts';
import { copyText, flashLabel } from './copies.ts';
import { toCsv, toTsv } from './table-text.ts';

/** Handles the buttons that save a picture as SVG or PNG, or its table as CSV. */
export function handleSaveButtons(): void {
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>('[data-save]');
    const id = button?.dataset['of'] ?? '';
    const figure = document.getElementById(id);
    if (!button || !figure) return;
    void save(button.dataset['save'] ?? '', figure, id).then((isDone) =>
      flashLabel(button, isDone ? 'Done' : 'Failed'),
    );
  });
}

async function save(kind: string, figure: Element, id: string): Promise<boolean> {
  const table = await tableOf(figure);
  const name = `headwind-${id}`;
  if (kind === 'copy' && table) return copyText(toTsv(table));
  if (kind === 'csv' && table) {
    return download(new Blob([toCsv(table)], { type: 'text/csv' }), `${name}.csv`);
  }
  const svg = await composeExport(figure);
  if (!svg) return false;
  const text = new XMLSerializer().serializeToString(svg);
  const blob = new Blob([text], { type: 'image/svg+xml' });
  if (kind === 'svg') return download(blob, `${name}.svg`);
  const png = await renderPng(blob, svg);
  return png !== null && download(png, `${name}.png`);
}

/**
 * Returns the complete table. A folded table is drawn only on demand, so this function first requests the drawing with
 * a toggle event.
 */
async function tableOf(figure: Element): Promise<HTMLTableElement | null> {
  figure.querySelector('.tools details')?.dispatchEvent(new Event('toggle'));
  do await new Promise((resolve) => setTimeout(resolve));
  while (figure.querySelector('[data-more]'));
  return figure.querySelector('.tools table');
}

function download(blob: Blob, name: string): boolean {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Keep the address valid until the download has started.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return true;
}

/** Width of saved pictures in pixels, enough for sharp pictures on any screen. */
const PNG_WIDTH = 1_600;

async function renderPng(blob: Blob, svg: SVGSVGElement): Promise<Blob | null> {
  const image = new Image();
  const address = URL.createObjectURL(blob);
  try {
    image.src = address;
    await image.decode();
    const { width, height } = svg.viewBox.baseVal;
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [PNG_WIDTH, Math.round((PNG_WIDTH * height) / width)];
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(address);
  }
}
