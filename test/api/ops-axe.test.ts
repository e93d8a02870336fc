import { readFile } from 'node:fs/promises';
import test from 'ava';
import { buildLineage } from '../../jobs/cli/catalogue/lineage-graph.ts';
import { NO_USER_SQL } from '../../warehouse/build/user-sql.ts';
import { BROWSER, findAccessibilityIssues, openBrowser } from './helpers/browser.ts';
import { somePages } from './helpers/ops.ts';

/** `make test` installs a browser. If it may not do so, it prints a note, and this test is skipped. */
const browserTest = BROWSER === undefined ? test.skip : test;

const STYLE = new URL('../../api/ops/ops.css', import.meta.url);

browserTest('axe finds no flaw on the pages of operators, in light and dark', async (t) => {
  const { call } = await somePages(t, { lineage: async () => buildLineage(NO_USER_SQL) });
  const style = `<style>${await readFile(STYLE, 'utf8')}</style></head>`;
  const browser = await openBrowser();
  t.teardown(() => browser.close());
  const page = await browser.newPage();
  for (const path of ['', '/runs', '/checks', '/jobs', '/lineage', '/months/2025-08']) {
    const { status, body } = await call(`/ops${path}`);
    t.is(status, 200, path);
    await page.setContent(body.replace('</head>', () => style));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      t.deepEqual(await findAccessibilityIssues(page), [], `${path} ${colorScheme}`);
    }
  }
});
