import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assembleDumpPage } from '../../scripts/assemble-dump-page.mjs';
import { hasBrowser, type OpenPage, openPage } from '../support/open-page.js';

const scenario = (name: string): string => fileURLToPath(new URL(`../scenarios/${name}`, import.meta.url));

/** The page for dumps, opened from a disk as somebody who saved it opens it. */
describe.runIf(hasBrowser)('the page for dumps', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-dump-page-'));
  const requests: Request[] = [];
  let browser: OpenPage;
  let page: Page;
  beforeAll(async () => {
    writeFileSync(join(folder, 'diagnose.html'), await assembleDumpPage());
    browser = await openPage();
    ({ page } = browser);
    page.on('request', (request) => requests.push(request));
    await page.goto(pathToFileURL(join(folder, 'diagnose.html')).href);
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const card = () => page.locator('article.card').first();

  it('shows the card, the picture and the command of the example', async () => {
    await page.getByRole('button', { name: 'Show an example' }).click();
    await card().getByText('surge-deadlock').first().waitFor();
    expect(await card().locator('h3').first().textContent()).toMatch(/^🔴 Critical: .*deadlock/u);
    expect(await card().locator('.facts').textContent()).toContain('Ready 1/1');
    expect(await card().locator('.cause').textContent()).toBe('proven cause · surge-deadlock');
    expect(await card().locator('svg[role="img"]').count()).toBe(1);
    expect(await card().locator('.command pre').first().textContent()).toMatch(
      /^kubectl -n shop patch deployment\/inference --type=\w+ -p '/u,
    );
  });

  it('reads a folder that was chosen, with the logs in it', async () => {
    await page.locator('#folder').setInputFiles(scenario('app-crash-with-log'));
    await card().getByText('application-crash').first().waitFor();
    expect(await card().locator('pre.log').textContent()).not.toBe('');
  });

  it('reads what was dropped', async () => {
    await dropFile(page, 'objects.json', '{"kind":"Pod","metadata":{"name":"web-1"},"spec":{');
    await expect.poll(() => page.locator('.refusal').textContent()).toContain('objects.json');
  });

  it('states that a dropped folder cannot be read', async () => {
    await page.evaluate(dropUnreadable);
    await expect.poll(() => page.locator('#status').textContent()).toContain('cannot read a file');
    expect(await page.locator('#answer').textContent()).toBe('');
  });

  it('explains a pasted message', async () => {
    await page.locator('#pasted').fill('0/3 nodes are available: 3 Insufficient cpu.');
    await page.getByRole('button', { name: 'Diagnose', exact: true }).click();
    await card().getByText('None of the 3 nodes can run the pod.').waitFor();
  });

  it('says that nothing was given, in place of the answer before', async () => {
    await page.locator('#pasted').fill('  ');
    await page.getByRole('button', { name: 'Diagnose', exact: true }).click();
    await expect.poll(() => page.locator('#status').textContent()).toContain('Nothing to read.');
    expect(await page.locator('#answer').textContent()).toBe('');
  });

  it('answers again in the language that is chosen', async () => {
    await page.getByRole('button', { name: 'Show an example' }).click();
    await card().getByText('surge-deadlock').first().waitFor();
    await page.getByLabel('Language').selectOption('ko');
    await card().getByText('권장 조치').waitFor();
    expect(await page.locator('h1').textContent()).toBe('덤프 진단');
    const english = /^[\x20-\x7e]{4,}$/u;
    const words = await page.locator('[data-text], summary, button, h2').allTextContents();
    expect(words.filter((each) => english.test(each.trim()))).toEqual([]);
    await page.getByLabel('Language').selectOption('en');
    await card().getByText('Recommended fix').waitFor();
  });

  it('shows names of objects as text', async () => {
    const name = '<img src=x onerror=document.title=1>';
    const metadata = { name, namespace: 'shop', uid: '1' };
    await page
      .locator('#pasted')
      .fill(JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { replicas: 1 } }));
    await page.getByRole('button', { name: 'Diagnose', exact: true }).click();
    await page.locator('#answer').getByText(name).first().waitFor();
    expect(await page.locator('#answer img').count()).toBe(0);
  });

  it.each([390, 1280])('fits %i pixels without scrolling sideways', async (width) => {
    await page.setViewportSize({ width, height: 844 });
    await page.getByRole('button', { name: 'Show an example' }).click();
    await card().getByText('surge-deadlock').first().waitFor();
    await browser.picture(`dump-page-${width}`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  });

  it('opens no connection, and may open none', async () => {
    const others = requests
      .map((request) => request.url())
      .filter((url) => !/^(?:file|blob|data):/u.test(url));
    expect(others).toEqual([]);
    const refused = await page.evaluate<readonly string[]>(tryConnections);
    expect(refused.filter((directive) => directive === 'connect-src')).toHaveLength(3);
    expect(refused).toContain('img-src');
  });
});

const tryConnections = `(async () => {
  const refused = [];
  addEventListener('securitypolicyviolation', ({ effectiveDirective }) => refused.push(effectiveDirective));
  await fetch('https://rollout-doctor.example/').catch(() => undefined);
  navigator.sendBeacon('https://rollout-doctor.example/');
  new Image().src = 'https://rollout-doctor.example/';
  try {
    new WebSocket('wss://rollout-doctor.example/');
  } catch {}
  while (refused.length < 4) await new Promise((resolve) => setTimeout(resolve, 20));
  return refused;
})()`;

/** A folder with a file that the browser may not read. */
const dropUnreadable = `(() => {
  const file = { isFile: true, name: 'a.json', file: (_, refuse) => refuse(new Error('NotReadableError')) };
  const entries = [[file], []];
  const reader = { readEntries: (take) => take(entries.shift()) };
  const folder = { isFile: false, name: 'd', createReader: () => reader };
  const event = new Event('drop', { bubbles: true, cancelable: true });
  event.dataTransfer = { items: [{ webkitGetAsEntry: () => folder }] };
  document.getElementById('drop').dispatchEvent(event);
})()`;

/** As a person drops one file on the page. */
async function dropFile(page: Page, name: string, text: string): Promise<void> {
  await page.evaluate(`(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
    const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
    document.getElementById('drop').dispatchEvent(event);
  })()`);
}
