import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';

/** Style of all pictures. */
const STYLE: Pick<TopLevelSpec, 'background' | 'config'> = {
  background: 'white',
  config: { font: 'sans-serif', axis: { labelFontSize: 11, titleFontSize: 12 } },
};

/** Colours of the score's bands, from Low to Very High. */
export const BAND_COLOURS = ['#4c9a6a', '#c9a227', '#d9722e', '#b3282d'];

/** Renders a picture as self-contained SVG; equal pictures give equal bytes. */
export async function svgOf(picture: TopLevelSpec): Promise<string> {
  const view = new View(parse(compile({ ...STYLE, ...picture }).spec), { renderer: 'none' });
  const svg = await view.toSVG();
  view.finalize();
  return `${svg}\n`;
}
