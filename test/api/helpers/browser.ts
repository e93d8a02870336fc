import AxeBuilder from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { BROWSERS } from '../../../jobs/cli/setup.ts';
import { installedAt } from '../../helpers/installed-at.ts';

/** Where a browser of Chromium's kind lies; undefined where none is installed. */
export const BROWSER = BROWSERS.map(installedAt).find((path) => path !== undefined);

/** Starts it without a window. */
export async function openBrowser(): Promise<Browser> {
  // Its sandbox does not run as root, and loads nothing but our own pages.
  const args = ['--no-sandbox', '--disable-gpu'];
  return chromium.launch({ ...(BROWSER !== undefined && { executablePath: BROWSER }), args });
}

/** What axe finds wrong with the page, as `rule: element`. */
export async function flaws(page: Page): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  // Past the policy of the page, as a browser's own tools are.
  if (!isThere) await page.evaluate(AxeBuilder.source);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof AxeBuilder };
    const options = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] };
    return (await axe.run(options)).violations;
  });
  return found.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${String(target)}`));
}

/** A page at the address, and what it complains of; it closes with the test. */
export async function openPage(
  t: { teardown: (end: () => Promise<void>) => void },
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
) {
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 900 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
    // It answers before a test that stands in for the service could.
    serviceWorkers: 'block',
    baseURL: new URL(address).origin,
    ...options,
  });
  t.teardown(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(address, { waitUntil: 'networkidle' });
  return { context, page, complaints };
}
