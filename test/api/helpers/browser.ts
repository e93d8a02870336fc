import AxeBuilder from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { BROWSERS } from '../../../jobs/cli/setup.ts';
import { findFirstProgram } from '../../../bench/stage/find-program.ts';

/** Path of an installed Chromium-based browser; undefined when there is no such browser. */
export const BROWSER = findFirstProgram(BROWSERS);

/** Starts a headless browser. */
export async function openBrowser(): Promise<Browser> {
  // Chromium's sandbox does not work for root. It is not needed here, because the browser loads only our own pages.
  const args = ['--no-sandbox', '--disable-gpu'];
  return chromium.launch({ ...(BROWSER !== undefined && { executablePath: BROWSER }), args });
}

/** Returns the accessibility violations that axe finds on the page, as `rule: element`. */
export async function findAccessibilityIssues(page: Page): Promise<string[]> {
  const isLoaded = await page.evaluate(() => 'axe' in globalThis);
  // This injection is not restricted by the page's Content-Security-Policy.
  if (!isLoaded) await page.evaluate(AxeBuilder.source);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof AxeBuilder };
    const options = {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
      rules: { 'heading-order': { enabled: true } },
    };
    return (await axe.run(options)).violations;
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id}: ${String(target)}`),
  );
}

/** Longest wait for a page or an element. A test that fails waits this long; a test that passes never does. */
const TIMEOUT_MS = 150_000;

/** Opens a page until the end of the test, and records its errors. */
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
    // A service worker would answer requests before a test could intercept them.
    serviceWorkers: 'block',
    baseURL: new URL(address).origin,
    ...options,
  });
  t.teardown(() => context.close());
  // The first request of a page bundles its script, which takes long on a busy machine.
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(address, { waitUntil: 'networkidle' });
  return { context, page, complaints };
}
