import { html, type Content } from '../html.ts';

/** Converts a text to markup: backticks become code, `[Name](#anchor)` becomes a link. */
export function formattedText(text: string): Content[] {
  return text.split(/(`[^`]+`|\[[^\]]+\]\(#[^)]+\))/).map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    const [, name, anchor] = /^\[(.+)\]\((#.+)\)$/.exec(part) ?? [];
    return anchor === undefined ? part : html`<a href=${anchor}>${name}</a>`;
  });
}
