import type { Content } from './html.ts';

/** Where a page stands: the parameters of its path, and the query. */
export type Place = { params: Record<string, string>; query: URLSearchParams };

/** What a page is drawn with beside its data. */
export type Frame = {
  /** Path and query of the page. */
  address: string;
  /** Scheme and host, without a slash at the end. */
  site: string;
  /** A BCP 47 name such as `en-GB`. */
  locale: string;
};

/** One view of the explorer: an address, the endpoint its data come from, and a function from data to markup. */
export type Page<Data = unknown> = {
  /** `/flights/:flight`; a name behind a colon stands for one part of the path. */
  path: string;
  /** The address its data come from, below `/explorer/`. */
  source: (place: Place) => string;
  title: (data: Data) => string;
  /** One sentence for whoever gets the address sent. */
  summary: (data: Data) => string;
  view: (data: Data, frame: Frame) => Content;
  /** The one address of what is shown, where there are several that lead to it. */
  canonical?: (data: Data) => string;
};

/** What is shown in place of a page that could not be made. */
export type Problem = {
  status: number;
  message: string;
  /** The parameter at fault. */
  param?: string;
  requestId?: string;
};

/** The parameters of a path that fits the pattern; undefined when it does not. */
export function paramsIn(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? '';
    if (part.startsWith(':') && value !== '') params[part.slice(1)] = unescaped(value);
    else if (part !== value) return undefined;
  }
  return params;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
