import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { PageFiles } from './files.ts';
import type { Frame, Problem } from './views/page.ts';
import { PAGES } from './views/pages.ts';
import { problemPage, problemTitle, shell } from './views/shell.ts';

/** Addresses of the files every page begins with. */
export type FileAddresses = Pick<PageFiles, 'script' | 'theme' | 'style' | 'fonts'>;

/** A page that is asked for, as plain values: another thread may draw it. */
export type PageAsked = {
  /** The path of the page, as `Page` has it. */
  path: string;
  /** Its data, as the browser would get them. */
  json: string;
  frame: Frame;
  files: FileAddresses;
};

/** A whole page as text. What it was drawn from goes with it, so that the browser can take over without asking. */
export function pageDocument({ path, json, frame, files }: PageAsked): string {
  const page = PAGES.find((one) => one.path === path);
  if (!page) throw new Error(`no page has the path ${path}`);
  const data: unknown = JSON.parse(json);
  return documentOf({
    content: shell(frame, page.view(data, frame)),
    title: page.title(data),
    summary: page.summary(data),
    state: `{"locale":${JSON.stringify(frame.locale)},"data":${json}}`,
    files,
  });
}

/** What stands in the place of a page that could not be made. */
export function problemDocument(problem: Problem, frame: Frame, files: FileAddresses): string {
  return documentOf({
    content: shell(frame, problemPage(problem)),
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
  /** JSON. */
  state: string;
  files: FileAddresses;
};

function documentOf({ content, title, summary, state, files }: Parts): string {
  const body = renderToString(content);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Headwind</title>
<meta name="description" content="${escaped(summary)}">
<meta property="og:title" content="${escaped(title)}">
<meta property="og:description" content="${escaped(summary)}">
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

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
