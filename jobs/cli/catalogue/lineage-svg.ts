import type { Lineage } from '../../../warehouse/live/lineage.ts';

const MARGIN = 8;

/** Colours for light and dark pages. The file can be opened by itself, so it contains its own styles. */
const STYLE = `
  :root { color-scheme: light dark; }
  text { font: 11px ui-monospace, monospace; fill: light-dark(#1b2330, #e8ecf2); }
  path { fill: none; stroke: light-dark(#8a94a3, #6b7686); stroke-opacity: 0.45; }
  rect { stroke: light-dark(#8a94a3, #6b7686); fill: light-dark(#ffffff, #1a212c); }
  .source rect { fill: light-dark(#eef1f5, #2a323e); }
  .mart rect { fill: light-dark(#e2ecfb, #17304f); }
  .check rect { fill: light-dark(#fbf1d9, #38290a); }
`;

/** Returns the graph as an SVG file. Each node links to the catalogue or, for a check, to the check's SQL. */
export function lineageSvg({
  nodes,
  edges,
  width,
  height,
  nodeWidth,
  nodeHeight,
}: Lineage): string {
  const size = { w: width + 2 * MARGIN, h: height + 2 * MARGIN };
  const lines = edges.map(({ path }) => `<path d="${path}"/>`);
  const boxes = nodes.map(
    ({ name, kind, x, y }) =>
      `<a href="${addressOf(name, kind)}" class="${kind}"><title>${name}</title>` +
      `<rect x="${x}" y="${y}" width="${nodeWidth}" height="${nodeHeight}" rx="3"/>` +
      `<text x="${x + 6}" y="${y + 14}">${shortName(name)}</text></a>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-MARGIN} ${-MARGIN} ${size.w} ${size.h}" width="${size.w}" height="${size.h}">`,
    '<title>Models and checks of the warehouse, from left to right in the order of the build</title>',
    `<style>${STYLE}</style>`,
    ...lines,
    ...boxes,
    '</svg>\n',
  ].join('\n');
}

function addressOf(name: string, kind: string): string {
  if (kind === 'check') return `../warehouse/sql/checks/${shortName(name)}.sql`;
  return `catalogue.md#${name.replace('.', '')}`;
}

function shortName(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}
