import htm from 'htm';
import { h, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** What a component may hold. */
export type Node = VNode | VNode[] | string | number | undefined | false | Node[];

type Template = (strings: TemplateStringsArray, ...values: unknown[]) => VNode;

/** HTML as a template; values in it are escaped. */
export const html = (htm as unknown as { bind: (make: typeof h) => Template }).bind(h);

/** A whole page as text. */
export function documentOf(page: VNode): string {
  return `<!doctype html>\n${renderToString(page)}\n`;
}
