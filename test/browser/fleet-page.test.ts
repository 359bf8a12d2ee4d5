import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fleetOf } from '#src/doctor/scans/scan-record.js';
import { fleetPage } from '#src/edges/terminal/fleet-page.js';
import { createEngine, createTell } from '#src/service/create-engine.js';
import { hasBrowser, type OpenPage, openPage } from '../support/open-page.js';
import { scenarios } from '../support/scenarios/expectation.js';
import { snapshotOf } from '../support/scenarios/snapshot-of.js';

/**
 * The page of `scan --fragile -o html`, of a deadlock and of workloads that deadlock at their next update.
 */
describe.runIf(hasBrowser)('the page of the fleet report', () => {
  let browser: OpenPage;
  beforeAll(async () => {
    browser = await openPage();
  });
  afterAll(() => browser?.close());

  async function open(language: 'en' | 'ko', width: number) {
    const ids = ['gpu-one-node', 'wait-cycle-of-two', 'before-surge-host-port', 'before-daemon-set-surge'];
    const chosen = scenarios().filter(({ expect: { id } }) => ids.includes(id));
    const diagnoses = await Promise.all(
      chosen.map(async (each) => createEngine().diagnose(await snapshotOf(each))),
    );
    const read = { cluster: 'prod-eu', takenAt: '2026-11-20T09:29:17Z' };
    const html = fleetPage(fleetOf(diagnoses), { tell: createTell(), language, ...read });
    const { page } = browser;
    await page.setViewportSize({ width, height: 900 });
    await page.setContent(html);
    return page;
  }

  it.each([
    ['en', 390],
    ['ko', 390],
    ['en', 1280],
  ] as const)(
    'fits the screen in %s at %i pixels, with a picture for each workload',
    async (language, width) => {
      const page = await open(language, width);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      const pictures = await page.locator('svg[role="img"]').all();
      expect(pictures).toHaveLength(await page.locator('tbody tr').count());
      for (const each of pictures) {
        const box = await each.boundingBox();
        expect(box?.width).toBeGreaterThan(300);
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
      }
    },
  );

  it('names each cell of a row on a phone, where the table has no columns', async () => {
    const page = await open('en', 390);
    const heads = await page.evaluate(
      `[...document.querySelectorAll('tbody tr:first-child td')].map((td) => getComputedStyle(td, '::before').content)`,
    );
    expect(heads).toEqual(['"Workload"', '"Lacks"', '"Confidence"', '"Why"', '"Change"']);
  });
});
