import htm from 'htm';
import { h, type ComponentChild, type VNode } from 'preact';

/**
 * Builds markup from a tagged template. Inserted strings become text, never markup. Components are plain functions:
 * `${outlookBar(outlook)}`. TypeScript therefore checks their arguments.
 */
export const html = (htm as unknown as Htm).bind(h);

type Markup = (strings: TemplateStringsArray, ...values: unknown[]) => VNode;

/** The types in the package describe a CommonJS module, so this type replaces them. */
type Htm = { bind: (create: typeof h) => Markup };

/** Anything that may be inserted between two tags. */
export type Content = ComponentChild;
