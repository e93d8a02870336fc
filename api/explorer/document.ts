import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { PageFiles } from './files.ts';
import { refreshSeconds, type Frame, type Page, type Problem } from './views/page.ts';
import { PAGES } from './views/pages.ts';
import { problemPage, problemTitle, shell } from './views/shell.ts';

/** Addresses of the files that every page loads. */
export type FileAddresses = Pick<PageFiles, 'script' | 'theme' | 'style' | 'fonts'>;

/** A page to draw. The values are plain, because they are sent to another thread. */
export type PageRequest = {
  /** Path pattern of the page, as in `Page`. */
  path: string;
  /** Data of the page as JSON. */
  json: string;
  frame: Frame;
  files: FileAddresses;
};

/** Returns a page as HTML. The HTML contains the data, so the script needs no further request. */
export function pageDocument({ path, json, frame, files }: PageRequest): string {
  const page = PAGES.find((one) => one.path === path);
  if (!page) throw new Error(`no page has the path ${path}`);
  const data: unknown = JSON.parse(json);
  return renderDocument({
    ...linksOf(page, data, frame),
    ...(page.isFramable && { isBare: true }),
    content: page.isFramable
      ? (page.view(data, frame) as VNode)
      : shell(frame, page.view(data, frame)),
    title: page.title(data),
    summary: page.summary(data),
    refreshS: refreshSeconds(page, frame.address),
    state: `{"locale":${JSON.stringify(frame.locale)},"data":${json}}`,
    files,
  });
}

/** Returns the HTML of an error page. */
export function problemDocument(problem: Problem, frame: Frame, files: FileAddresses): string {
  return renderDocument({
    content: shell(frame, problemPage(problem, frame.address)),
    title: problemTitle(problem),
    summary: problem.message,
    state: JSON.stringify({ locale: frame.locale, problem }),
    files,
  });
}

/**
 * Returns two addresses for search engines and chat programs: the page's canonical address, and the address of its
 * preview image.
 */
function linksOf(
  page: Page,
  data: unknown,
  { address, site }: Frame,
): Pick<Parts, 'url' | 'image'> {
  const path = page.canonical?.(data) ?? address.split('?')[0] ?? '/';
  const [name = '', query] = path.split('?');
  const card = page.card?.(data)
    ? `/cards${name}.png${query === undefined ? '' : `?${query}`}`
    : SITE_CARD;
  return { url: site + path, image: site + card };
}

const SITE_CARD = '/cards/headwind.png';

type Parts = {
  /** Canonical address of the page. Error pages have neither this address nor an image. */
  url?: string;
  image?: string;
  /** A browser without script reloads the page after this number of seconds. */
  refreshS?: number | undefined;
  /** Whether the page has no script. */
  isBare?: true;
  content: VNode;
  title: string;
  summary: string;
  /** The data of the page as JSON. */
  state: string;
  files: FileAddresses;
};

function renderDocument(parts: Parts): string {
  const { content, title, summary, state, files, isBare, refreshS } = parts;
  const body = renderToString(content);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Headwind</title>
<meta name="description" content="${escapeHtml(summary)}">
${linkTags(parts)}<meta property="og:title" content="${escapeHtml(title)}">
<meta property="og:description" content="${escapeHtml(summary)}">
<meta name="color-scheme" content="light dark">
${refreshS === undefined ? '' : `<noscript><meta http-equiv="refresh" content="${refreshS}"></noscript>\n`}<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
${files.fonts.map((font) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${font}">`).join('\n')}
<link rel="stylesheet" href="${files.style}">
${
  isBare
    ? ''
    : `<script src="${files.theme}"></script>
<script type="module" src="${files.script}"></script>
`
}</head>
<body>
<div id="app">${body}</div>
${
  isBare
    ? ''
    : `<script type="application/json" id="state">${state.replaceAll('<', String.raw`\u003c`)}</script>
`
}</body>
</html>
`;
}

function linkTags({ url, image, isBare }: Parts): string {
  if (url === undefined || image === undefined) return '<meta name="robots" content="noindex">\n';
  if (isBare) return '<meta name="robots" content="noindex">\n';
  return `<link rel="canonical" href="${escapeHtml(url)}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Headwind">
<meta property="og:url" content="${escapeHtml(url)}">
<meta property="og:image" content="${escapeHtml(image)}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">
`;
}

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="5" fill="#10243e"/><path d="M4 20 20 4M20 4l-7-2 4 5zM14 10l-6-3" stroke="#f3b34c" stroke-width="2" fill="none"/></svg>';

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
