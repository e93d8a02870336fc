import { SOME_KEY } from '../../helpers/app.ts';
import { findAccessibilityIssues } from '../../helpers/browser.ts';
import { FLIGHT, type Case } from './world.ts';

/** The form that creates a watch. */
export const watchCases: Record<string, Case> = {
  'a watch is created for the flight of the page, and only this request contains the key': async (
    t,
    { open },
  ) => {
    const { page, complaints } = await open(t, FLIGHT);
    await page.click('.watch summary');
    t.deepEqual(await findAccessibilityIssues(page), []);
    await page.fill('#api-key', SOME_KEY);
    await page.fill('#watch-url', 'https://hooks.example/mine');
    await page.fill('#watch-points', '12');
    const sent = page.waitForRequest('**/api/watches?**');
    await page.click('.watch .primary');
    const request = await sent;
    t.is(request.method(), 'POST');
    t.deepEqual(Object.fromEntries(new URL(request.url()).searchParams), {
      ...{ origin: 'JFK', dest: 'LAX', airline: 'AA', date: '2026-03-20', dep_time: '07:30' },
      ...{ url: 'https://hooks.example/mine', points: '12', band: 'true', api_key: SOME_KEY },
    });
    await page.locator('#createWatch-outcome', { hasText: '200' }).waitFor();
    const answer = JSON.parse((await page.locator('#createWatch-body').textContent()) ?? '') as {
      secret: string;
    };
    t.regex(answer.secret, /^whsec_/);
    t.false((await page.content()).includes(SOME_KEY));
    t.false(page.url().includes(SOME_KEY));
    t.deepEqual(complaints, []);
  },

  'without script, the form of a watch is hidden, and the call is shown': async (t, { open }) => {
    const { page } = await open(t, FLIGHT, { javaScriptEnabled: false });
    await page.click('.watch summary');
    t.false(await page.locator('.watch form').isVisible());
    t.regex(await page.locator('#watch-code-curl').innerText(), /^curl --request POST --get/);
  },
};
