import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';

/** What all our pictures share. */
const HOUSE: Pick<TopLevelSpec, 'background' | 'config'> = {
  background: 'white',
  config: { font: 'sans-serif', axis: { labelFontSize: 11, titleFontSize: 12 } },
};

/** Of the bands of the score, the lowest first. */
export const BAND_COLOURS = ['#4c9a6a', '#c9a227', '#d9722e', '#b3282d'];

/** A picture as SVG that needs nothing else; the same picture gives the same bytes. */
export async function svgOf(picture: TopLevelSpec): Promise<string> {
  const view = new View(parse(compile({ ...HOUSE, ...picture }).spec), { renderer: 'none' });
  const svg = await view.toSVG();
  view.finalize();
  return `${svg}\n`;
}
