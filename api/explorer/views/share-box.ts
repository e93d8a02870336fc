import { codeBlock } from './code-tabs.ts';
import { html, type Content } from './html.ts';

/**
 * Shows a button that shares the page's address. With `embedPath`, also shows code that embeds a flight in another
 * site. `more` follows at the end.
 */
export function shareBox(site: string, title: string, embedPath?: string, more?: Content) {
  return html`<div class="share">
    <button type="button" data-share=${title}>Share</button>
    ${
      embedPath !== undefined &&
      html`<details>
        <summary>Embed</summary>
        ${codeBlock(
          'embed-code',
          'HTML',
          `<iframe src="${site}${embedPath}" title="${title}" width="360" height="230"></iframe>`,
        )}
      </details>`
    }
    ${more}
  </div>`;
}
