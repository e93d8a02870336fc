import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { PageFiles } from './files.ts';
import type { Frame, Problem } from './views/page.ts';
import { PAGES } from './views/pages.ts';
import { problemPage, problemTitle, shell } from './views/shell.ts';

/** Addresses of the files that every page loads. */
export type FileAddresses = Pick<PageFiles, 'script' | 'theme' | 'style' | 'fonts'>;

/** A page to draw, as plain values that can be sent to another thread. */
export type PageRequest = {
  /** The path pattern of the page, as in `Page`. */
  path: string;
  /** The page's data: the body its endpoint sends to browsers. */
  json: string;
  frame: Frame;
  files: FileAddresses;
};

/**
 * Returns a page as HTML. The HTML includes the page's data, so the browser can hydrate it without another request.
 */
export function pageDocument({ path, json, frame, files }: PageRequest): string {
  const page = PAGES.find((one) => one.path === path);
  if (!page) throw new Error(`no page has the path ${path}`);
  const data: unknown = JSON.parse(json);
  return renderDocument({
    content: shell(frame, page.view(data, frame)),
    title: page.title(data),
    summary: page.summary(data),
    state: `{"locale":${JSON.stringify(frame.locale)},"data":${json}}`,
    files,
  });
}

/** Returns the HTML shown instead of a page that could not be built. */
export function problemDocument(problem: Problem, frame: Frame, files: FileAddresses): string {
  return renderDocument({
    content: shell(frame, problemPage(problem, frame.address)),
    title: problemTitle(problem),
    summary: problem.message,
    state: JSON.stringify({ locale: frame.locale, problem }),
    files,
  });
}

type Parts = {
  content: VNode;
  title: string;
  summary: string;
  /** The data of the page as JSON. */
  state: string;
  files: FileAddresses;
};

function renderDocument({ content, title, summary, state, files }: Parts): string {
  const body = renderToString(content);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Headwind</title>
<meta name="description" content="${escapeHtml(summary)}">
<meta property="og:title" content="${escapeHtml(title)}">
<meta property="og:description" content="${escapeHtml(summary)}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
${files.fonts.map((font) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${font}">`).join('\n')}
<link rel="stylesheet" href="${files.style}">
<script src="${files.theme}"></script>
<script type="module" src="${files.script}"></script>
</head>
<body>
<div id="app">${body}</div>
<script type="application/json" id="state">${state.replaceAll('<', String.raw`\u003c`)}</script>
</body>
</html>
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
