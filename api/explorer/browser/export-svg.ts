/** Creates a picture file: title, drawing, legend, unit and source, in the typeface of the pages. */

const NAMESPACE = 'http://www.w3.org/2000/svg';
/** Width of a drawing at normal text size. Wider drawings get proportionally larger texts. */
const BASE_WIDTH = 480;
const MARGIN = 12;
const FONT = 'B612';
/**
 * Characters for which the file uses the font B612, as in the style sheet. Parentheses are left out, because they look
 * like square brackets in this font.
 */
const RANGE = 'U+0-27,U+2A-10FFFF';

/** Returns the SVG file of a picture. */
export async function composeExport(figure: Element): Promise<SVGSVGElement | undefined> {
  const drawing = figure.querySelector<SVGSVGElement>('.drawing:not(.key) svg');
  if (!drawing) return undefined;
  const unit = Math.max(1, drawing.viewBox.baseVal.width / BASE_WIDTH);
  const margin = MARGIN * unit;
  const width = drawing.viewBox.baseVal.width + 2 * margin;
  const parts = [
    textPart(document.title, {
      width,
      margin,
      size: 10 * unit,
      like: figure.querySelector('.tools'),
    }),
    textPart(textOf(figure, 'h3'), {
      width,
      margin,
      size: 15 * unit,
      like: figure.querySelector('h3'),
    }),
    textPart(withoutInvitation(textOf(figure, '.note')), {
      width,
      margin,
      size: 10 * unit,
      like: figure.querySelector('.note'),
    }),
    drawingPart(drawing, { margin, size: 1, gap: margin }),
    listPart(figure, { margin, size: 11 * unit }),
    legendPart(figure.querySelector('.key svg'), { width, margin, unit }),
    textPart(sourceText(), { width, margin, size: 9 * unit, like: figure.querySelector('.tools') }),
  ];
  const file = createElement('svg', {}) as SVGSVGElement;
  let bottom = margin / 2;
  for (const { elements, height } of parts) {
    const group = createElement('g', { transform: `translate(0 ${bottom})` });
    group.append(...elements);
    file.append(group);
    bottom += height;
  }
  const box = { width: Math.ceil(width), height: Math.ceil(bottom + margin) };
  const attributes = { xmlns: NAMESPACE, viewBox: `0 0 ${box.width} ${box.height}`, ...box };
  for (const [name, value] of Object.entries(attributes)) file.setAttribute(name, String(value));
  const style = createElement('style', {});
  style.textContent = await fontFaces();
  const { backgroundColor: fill } = getComputedStyle(document.body);
  file.prepend(style, createElement('rect', { ...box, fill }));
  return file;
}

/** Returns a line with the sources, the address and the date. */
function sourceText(): string {
  const day = new Date().toLocaleDateString('en-GB', { dateStyle: 'long' });
  return `Source: Headwind, from flight records of BTS, DATA.GOV.HK, openZH and BITRE. ${location.href}, ${day}.`;
}

function textOf(figure: Element, selector: string): string {
  return figure.querySelector(selector)?.textContent?.replaceAll(/\s+/g, ' ').trim() ?? '';
}

/** Removes sentences such as `Choose a day to see that flight.`: a saved picture is often shown without its links. */
function withoutInvitation(note: string): string {
  return note.replaceAll(/Choose [^.]*\.\s*/g, '').trim();
}

/** A section of the file, such as the title or the legend: its SVG elements and their total height. */
type Part = { elements: SVGElement[]; height: number };

type TextLook = {
  width: number;
  margin: number;
  size: number;
  /** The text copies the colour and weight of this page element. */
  like: Element | null;
};

function textPart(text: string, { width, margin, size, like }: TextLook): Part {
  if (text === '' || !like) return { elements: [], height: 0 };
  const { color, fontWeight } = getComputedStyle(like);
  const lines = wrapText(text, `${fontWeight} ${size}px ${FONT}`, width - 2 * margin);
  const elements = lines.map((line, at) => {
    const element = createElement('text', {
      ...{ x: margin, y: (at + 1) * size * 1.3, fill: color },
      ...{ 'font-family': `${FONT}, sans-serif`, 'font-size': size, 'font-weight': fontWeight },
    });
    element.textContent = line;
    return element;
  });
  return { elements, height: (lines.length + 0.3) * size * 1.3 };
}

function drawingPart(
  svg: SVGSVGElement | null,
  { margin, size, gap }: { margin: number; size: number; gap: number },
): Part {
  if (!svg) return { elements: [], height: 0 };
  const { x, y, width, height } = svg.viewBox.baseVal;
  const copy = copyWithStyles(svg);
  const place = {
    ...{ x: margin, y: gap / 2, width: width * size, height: height * size },
    ...{ viewBox: `${x} ${y} ${width} ${height}`, overflow: getComputedStyle(svg).overflow },
  };
  for (const [name, value] of Object.entries(place)) copy.setAttribute(name, String(value));
  return { elements: [copy], height: height * size + gap };
}

/**
 * Returns the legend of the colours. Legends are drawn for a narrow page, so this function enlarges the legend in the
 * same proportion as the texts. In a narrow file, the legend grows only to the width of the file.
 */
function legendPart(
  svg: SVGSVGElement | null,
  { width, margin, unit }: { width: number; margin: number; unit: number },
): Part {
  const widest = (width - 2 * margin) / (svg?.viewBox.baseVal.width ?? 1);
  return drawingPart(svg, { margin, size: Math.min(unit, widest), gap: margin });
}

/** Returns the entries of a legend that is a list. Each entry has a mark and a text. */
function listPart(figure: Element, { margin, size }: { margin: number; size: number }): Part {
  const entries = [...figure.querySelectorAll('.legend li')];
  const line = 1.6 * size;
  const elements = entries.flatMap((entry, at) => {
    const mark = entry.querySelector('svg');
    const { color } = getComputedStyle(entry);
    const text = createElement('text', {
      ...{ x: margin + 2 * size, y: at * line + size, fill: color },
      ...{ 'font-family': `${FONT}, sans-serif`, 'font-size': size },
    });
    text.textContent = entry.textContent.replaceAll(/\s+/g, ' ').trim();
    if (!mark) return [text];
    const copy = copyWithStyles(mark);
    const place = { x: margin, y: at * line, width: 1.2 * size, height: 1.2 * size };
    for (const [name, value] of Object.entries(place)) copy.setAttribute(name, String(value));
    return [copy, text];
  });
  return { elements, height: entries.length * line };
}

/** Style properties to copy into a saved drawing, because the file has no style sheet. */
const COPIED_STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'paint-order',
  'vector-effect',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
];

function copyWithStyles(svg: SVGSVGElement): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const [originals, copies] = [svg.querySelectorAll('*'), copy.querySelectorAll('*')];
  const hidden: Element[] = [];
  for (const [at, element] of originals.entries()) {
    const [target, style] = [copies[at], getComputedStyle(element)];
    if (!target) continue;
    if (style.display === 'none') hidden.push(target);
    for (const name of COPIED_STYLES) target.setAttribute(name, style.getPropertyValue(name));
  }
  for (const element of hidden) element.remove();
  for (const link of copy.querySelectorAll('a')) {
    link.setAttribute('href', new URL(link.getAttribute('href') ?? '', location.href).href);
  }
  return copy;
}

/**
 * Returns the typeface as embedded data, because a saved file cannot load other files. If the network fails, the file
 * only names the typeface.
 */
async function fontFaces(): Promise<string> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=preload][as=font]')];
  const texts = await Promise.all(
    links.map(async ({ href }) => {
      const weight = /-(\d{3})-/.exec(href)?.[1] ?? '400';
      try {
        const data = await dataUrl(await (await fetch(href)).blob());
        return `@font-face{font-family:${FONT};font-weight:${weight};unicode-range:${RANGE};src:url(${data}) format("woff2")}`;
      } catch {
        return '';
      }
    }),
  );
  return texts.join('');
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error as Error));
    reader.readAsDataURL(blob);
  });
}

/**
 * Breaks a text into lines that fit the width. Lines break after a space. In addresses, they may also break after these
 * characters: `,&/?`.
 */
function wrapText(text: string, font: string, width: number): string[] {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return [text];
  context.font = font;
  const lines: string[] = [];
  for (const part of text.split(/(?<= |[,&/?](?=[A-Za-z]))/)) {
    const longer = (lines.at(-1) ?? '') + part;
    const isFitting = context.measureText(longer.trimEnd()).width <= width;
    if (isFitting) lines.pop();
    lines.push(isFitting ? longer : part);
  }
  return lines;
}

function createElement(name: string, attributes: Record<string, string | number>): SVGElement {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}
