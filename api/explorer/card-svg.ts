import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Font } from 'opentype.js';
import { loadOnce } from '../../warehouse/ground/load-once.ts';
import type { Card } from './views/page.ts';
import { riskStep } from './views/risk.ts';

/** Image size that chat programs and social networks recommend. */
export const [CARD_WIDTH, CARD_HEIGHT] = [1_200, 630];
const MARGIN = 72;

/** Colours of the pages' header. They are readable in light and dark chat windows. */
const COLORS = { ground: '#10243e', text: '#ffffff', quiet: '#b9c5d4', flag: '#f3b34c' };
/** The risk colours `--risk-0` to `--risk-9` of the style sheet for light pages, lowest risk first. */
const RISK_COLORS = [
  ...['#d8ecf3', '#bcdde9', '#98cadb', '#f6d58d', '#f2bd62'],
  ...['#e9a13f', '#d9722f', '#bf5226', '#97283a', '#6a1040'],
];

type Fonts = { regular: Font; bold: Font };

const loadFonts: () => Promise<Fonts> = loadOnce(async () => ({
  regular: await loadFont('400'),
  bold: await loadFont('700'),
}));

async function loadFont(weight: string): Promise<Font> {
  const { default: opentype } = await import('opentype.js');
  const address = import.meta.resolve(`@fontsource/b612/files/b612-latin-${weight}-normal.woff`);
  const { buffer, byteOffset, length } = await readFile(fileURLToPath(address));
  return opentype.parse(buffer.slice(byteOffset, byteOffset + length));
}

/** Draws the preview image of a link as SVG. Letters are drawn as shapes, so the image needs no fonts. */
export async function cardSvg({
  title,
  subtitle,
  figure,
  caption,
  note,
  score,
}: Card): Promise<string> {
  const { regular, bold } = await loadFonts();
  const write = (font: Font, text: string, look: TextLook) => writeText(font, text, look);
  const wide = CARD_WIDTH - 2 * MARGIN;
  const figureWidth = bold.getAdvanceWidth(figure, 190);
  const right = MARGIN + figureWidth + 36;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${CARD_WIDTH} ${CARD_HEIGHT}">
<rect width="${CARD_WIDTH}" height="${CARD_HEIGHT}" fill="${COLORS.ground}"/>
<g transform="translate(${MARGIN - 8} 46) scale(1.7)" fill="none" stroke="${COLORS.flag}" stroke-width="2.4" stroke-linecap="round"><path d="M5 27 27 5M18 14 8 10M13.5 18.5 6 15.5"/><path d="M27 5 16 3 21 11Z" fill="${COLORS.flag}"/></g>
${write(bold, 'Headwind', { x: MARGIN + 58, y: 88, size: 34, fill: COLORS.text, wide })}
${write(bold, title, { x: MARGIN, y: 196, size: 68, fill: COLORS.text, wide })}
${write(regular, subtitle, { x: MARGIN, y: 252, size: 34, fill: COLORS.quiet, wide })}
${write(bold, figure, { x: MARGIN, y: 466, size: 190, fill: score === undefined ? COLORS.text : COLORS.flag, wide })}
${write(bold, caption, { x: right, y: 400, size: 42, fill: COLORS.text, wide: CARD_WIDTH - MARGIN - right })}
${write(regular, note, { x: right, y: 456, size: 34, fill: COLORS.quiet, wide: CARD_WIDTH - MARGIN - right })}
${score === undefined ? '' : scale(score)}
</svg>`;
}

type TextLook = { x: number; y: number; size: number; fill: string; wide: number };

/** Draws a line of text. Text that is too wide becomes smaller. */
function writeText(font: Font, text: string, { x, y, size, fill, wide }: TextLook): string {
  const fitted = Math.min(size, (size * wide) / font.getAdvanceWidth(text, size));
  return text === ''
    ? ''
    : `<path fill="${fill}" d="${shapeOf(font, text, { x, y, size: fitted })}"/>`;
}

/** Returns a text as the data of an SVG path. The font package's own function writes NaN for some decimals. */
function shapeOf(
  font: Font,
  text: string,
  { x, y, size }: Omit<TextLook, 'fill' | 'wide'>,
): string {
  return font
    .getPath(text, x, y, size)
    .commands.map((command) => {
      const points: Partial<Record<string, string | number>> = command;
      const values = ['x1', 'y1', 'x2', 'y2', 'x', 'y'].flatMap((name) => points[name] ?? []);
      return `${command.type}${values.map((value) => Number(value).toFixed(1)).join(' ')}`;
    })
    .join('');
}

/** Draws the colour scale with a pointer at the score. */
function scale(score: number): string {
  const cell = (CARD_WIDTH - 2 * MARGIN) / RISK_COLORS.length;
  const step = riskStep(score);
  const cells = RISK_COLORS.map(
    (color, at) =>
      `<rect x="${MARGIN + at * cell}" y="540" width="${cell - 4}" height="26" fill="${color}"/>`,
  );
  const middle = MARGIN + (step + 0.5) * cell - 2;
  return `${cells.join('')}<path fill="${COLORS.text}" d="M${middle - 16} 508h32l-16 24z"/>`;
}
