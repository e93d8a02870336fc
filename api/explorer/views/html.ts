import htm from 'htm';
import { h, type ComponentChild, type VNode } from 'preact';

/**
 * Builds markup from a tagged template. Inserted strings become text, never markup. Components are plain functions:
 * `${outlookBar(outlook)}`. TypeScript therefore checks their arguments.
 */
export const html = (htm as unknown as Htm).bind(h);

type Markup = (strings: TemplateStringsArray, ...values: unknown[]) => VNode;

/** Replaces the package's types, which describe a CommonJS module. */
type Htm = { bind: (create: typeof h) => Markup };

/** Anything that may be inserted between two tags. */
export type Content = ComponentChild;
