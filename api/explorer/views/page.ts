import type { Content } from './html.ts';

/** The path parameters and the query of an address. */
export type PageLocation = { params: Record<string, string>; query: URLSearchParams };

/** Facts that a page needs besides its data. */
export type Frame = {
  /** Path and query of the page. */
  address: string;
  /** Scheme and host, without a trailing slash. */
  site: string;
  /** A BCP 47 tag such as `en-GB`. */
  locale: string;
};

/** A page: its address, the address of its data, and a function that converts the data to markup. */
export type Page<Data = unknown> = {
  /** Path pattern, such as `/flights/:flight`. A name after a colon matches one path segment. */
  path: string;
  /** Returns the address of the data, under `/explorer/`. */
  source: (place: PageLocation) => string;
  title: (data: Data) => string;
  /** One sentence for link previews. */
  summary: (data: Data) => string;
  view: (data: Data, frame: Frame) => Content;
  /** The canonical address, if several addresses show the same data. */
  canonical?: (data: Data) => string;
  /**
   * Returns the texts of the page's preview image. Returns undefined if links to the page use the general preview
   * image.
   */
  card?: (data: Data) => Card | undefined;
  /** The page loads its data again after this number of seconds, unless its address contains `refresh=off`. */
  refreshS?: number;
  /** Whether other sites may show the page in a frame. Such a page has no header, footer or script. */
  isFramable?: true;
};

/** Returns the seconds after which the page loads its data again; undefined if it never does. */
export function refreshSeconds({ refreshS }: Pick<Page, 'refreshS'>, address: string) {
  return new URL(address, 'http://any').searchParams.get('refresh') === 'off'
    ? undefined
    : refreshS;
}

/** Texts of the preview image of a link. */
export type Card = {
  title: string;
  subtitle: string;
  /** The large figure: `17%`. */
  figure: string;
  /** Explains the figure: `late or cancelled`. */
  caption: string;
  note: string;
  /** Score that selects the colour. */
  score?: number;
};

/** Data of an error page. */
export type Problem = {
  status: number;
  message: string;
  /** The invalid parameter. */
  param?: string;
  requestId?: string;
};

/** Returns the parameters of a path; undefined if the path does not match the pattern. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const [parts, values] = [pattern.split('/'), path.split('/')];
  if (parts.length !== values.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of parts.entries()) {
    const value = values[at] ?? '';
    if (part.startsWith(':') && value !== '') params[part.slice(1)] = decodePart(value);
    else if (part !== value) return undefined;
  }
  return params;
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
