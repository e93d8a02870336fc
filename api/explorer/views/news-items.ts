import type { NewsItem } from '../../schemas/news.ts';
import { day } from './format.ts';
import { html } from './html.ts';

/**
 * News as list items, each with its source and date. `level` is the level of their headings, one below the preceding
 * heading.
 */
export function newsItems(items: readonly NewsItem[], locale: string, level: 2 | 3) {
  return items.map(({ title, summary, source, url, published_at, impact }) => {
    const name = isWebAddress(url)
      ? html`<a href=${url} rel="noopener noreferrer nofollow external">${title}</a>`
      : title;
    return html`<li>
      ${level === 2 ? html`<h2>${name}</h2>` : html`<h3>${name}</h3>`}
      <p>${summary}</p>
      <p class="note">${source} · ${day(published_at.slice(0, 10), locale)} · ${impact} impact</p>
    </li>`;
  });
}

/** Returns whether a link may be shown. News links come from strangers, so only web addresses are allowed. */
function isWebAddress(url: string): boolean {
  return /^https?:\/\//i.test(url);
}
