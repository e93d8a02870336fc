import { renderToString } from 'preact-render-to-string';
import type { PageFiles } from './files.ts';
import { problemPage, shell } from './views/shell.ts';
import type { Frame, Page, Problem } from './views/page.ts';

type Shown = { frame: Frame; files: PageFiles } & (
  | { page: Page; data: object; problem?: undefined }
  | { problem: Problem }
);

/** A whole page as text. What it was drawn from goes with it, so that the browser can take over without asking. */
export function documentOf(shown: Shown): string {
  const { frame, files } = shown;
  const [content, title, summary] =
    shown.problem === undefined
      ? [
          shown.page.view(shown.data, frame),
          shown.page.title(shown.data),
          shown.page.summary(shown.data),
        ]
      : [problemPage(shown.problem), `Error ${shown.problem.status}`, shown.problem.message];
  const body = renderToString(shell(frame, content));
  const state = {
    locale: frame.locale,
    ...(shown.problem === undefined ? { data: shown.data } : { problem: shown.problem }),
  };
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
<script type="application/json" id="state">${JSON.stringify(state).replaceAll('<', String.raw`\u003c`)}</script>
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
