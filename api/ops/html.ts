import htm from 'htm';
import { h, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** Content between the tags of an element. */
export type Node = VNode | VNode[] | string | number | undefined | false | Node[];

type Template = (strings: TemplateStringsArray, ...values: unknown[]) => VNode;

/** Template tag for HTML. Values are escaped. */
export const html = (htm as unknown as { bind: (make: typeof h) => Template }).bind(h);

/** Renders a whole page as text. */
export function documentOf(page: VNode): string {
  return `<!doctype html>\n${renderToString(page)}\n`;
}
