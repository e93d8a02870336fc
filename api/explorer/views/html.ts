import htm from 'htm';
import { h, type ComponentChild, type VNode } from 'preact';

/**
 * Markup as a tagged template. Components are plain functions that are called, `${outlookBar(outlook)}`, so that their
 * arguments are checked as those of any function; what is put in is text, never markup.
 */
export const html = (htm as unknown as Htm).bind(h);

type Markup = (strings: TemplateStringsArray, ...values: unknown[]) => VNode;

/** The package's own types take it for a CommonJS module. */
type Htm = { bind: (create: typeof h) => Markup };

/** Whatever may stand between two tags. */
export type Content = ComponentChild;
