import { copyText, said } from './copies.ts';
import { csvOf, tsvOf } from './table-text.ts';

/** Saves a picture as SVG or PNG, or its table as CSV, where a button says so. */
export function followSaves(): void {
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>('[data-save]');
    const id = button?.dataset['of'] ?? '';
    const figure = document.getElementById(id);
    if (!button || !figure) return;
    void save(button.dataset['save'] ?? '', figure, id).then((isDone) =>
      said(button, isDone ? 'Done' : 'Failed'),
    );
  });
}

async function save(kind: string, figure: Element, id: string): Promise<boolean> {
  const table = await tableOf(figure);
  const svg = figure.querySelector<SVGSVGElement>('.drawing svg');
  const name = `headwind-${id}`;
  if (kind === 'copy' && table) return copyText(tsvOf(table));
  if (kind === 'csv' && table) {
    return download(new Blob([csvOf(table)], { type: 'text/csv' }), `${name}.csv`);
  }
  if (!svg) return false;
  const text = new XMLSerializer().serializeToString(standalone(svg));
  const blob = new Blob([text], { type: 'image/svg+xml' });
  if (kind === 'svg') return download(blob, `${name}.svg`);
  const png = await painted(blob, svg);
  return png !== null && download(png, `${name}.png`);
}

/** The table as it is now: one that is folded away is drawn when somebody looks, and this is a look. */
async function tableOf(figure: Element): Promise<HTMLTableElement | null> {
  figure.querySelector('.tools details')?.dispatchEvent(new Event('toggle'));
  do await new Promise((drawn) => setTimeout(drawn));
  while (figure.querySelector('[data-more]'));
  return figure.querySelector('.tools table');
}

function download(blob: Blob, name: string): boolean {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Not before the browser has begun with it.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return true;
}

/** What a drawing takes from the style sheet, and must carry itself once it has left the page. */
const CARRIED = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
];

function standalone(svg: SVGSVGElement): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const [theirs, ours] = [svg.querySelectorAll('*'), copy.querySelectorAll('*')];
  for (const [at, element] of theirs.entries()) {
    const style = getComputedStyle(element);
    for (const name of CARRIED) ours[at]?.setAttribute(name, style.getPropertyValue(name));
  }
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  for (const link of copy.querySelectorAll('a')) {
    link.setAttribute('href', new URL(link.getAttribute('href') ?? '', location.href).href);
  }
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  const { x, y } = svg.viewBox.baseVal;
  const place = { x, y, width, height, fill: getComputedStyle(document.body).backgroundColor };
  for (const [name, value] of Object.entries(place)) ground.setAttribute(name, String(value));
  copy.prepend(ground);
  return copy;
}

/** Sharp on any screen. */
const PNG_WIDTH = 1_600;

async function painted(blob: Blob, svg: SVGSVGElement): Promise<Blob | null> {
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
