import { html, type Content } from '../html.ts';

/** A text with its words in backticks as code, and `[Name](#place)` as a link. */
export function said(text: string): Content[] {
  return text.split(/(`[^`]+`|\[[^\]]+\]\(#[^)]+\))/).map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    const [, name, place] = /^\[(.+)\]\((#.+)\)$/.exec(part) ?? [];
    return place === undefined ? part : html`<a href=${place}>${name}</a>`;
  });
}
