import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, type OpenPage, openPage } from '../support/open-page.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const site = join(root, 'site');
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
};

/** A file server without rules, as the pages need no more. */
async function serveSite(): Promise<Server> {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname));
    const file = join(site, path.endsWith('/') ? `${path}index.html` : path);
    readFile(file)
      .then((bytes) => {
        response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream');
        response.end(bytes);
      })
      .catch(() => {
        response.statusCode = 404;
        response.end();
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** The only place that builds `site/` in a run: two builds at the same time would take each other's files away. */
const built = promisify(execFile)('node', ['scripts/build-docs.mjs'], { cwd: root });

it('builds with `npm run docs`, which refuses a broken link and a page outside the navigation', async () => {
  expect((await built).stdout).toMatch(/ 0 problems$/mu);
});

describe.runIf(hasBrowser)('the documentation site', () => {
  let server: Server;
  let browser: OpenPage;
  let url: string;
  beforeAll(async () => {
    await built;
    server = await serveSite();
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await openPage();
  });
  afterAll(async () => {
    await browser?.close();
    await new Promise((resolve) => server.close(resolve));
  });

  it('has the parts that a reader looks for, in this order', async () => {
    const { page } = browser;
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${url}/`);
    const parts = await page.locator('nav .VPSidebarItem.level-0 > .item').allInnerTexts();
    expect(parts).toEqual([
      'Start here',
      'Causes',
      'Concepts',
      'How to',
      'Reference',
      'Troubleshooting',
      'Evidence',
    ]);
  });

  it.each([390, 1280])('finds a page by a word at %i pixels', async (width) => {
    const { page } = browser;
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${url}/`);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('krew');
    await page.getByRole('option').first().click();
    await page.waitForURL(/\/npm\.html#as-a-kubectl-plugin$/);
    await page.getByRole('heading', { name: 'As a kubectl plugin' }).waitFor();
  });

  it('opens from a disk, with its style and with links that lead on', async () => {
    const { page } = browser;
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(pathToFileURL(join(site, 'index.html')).href);
    await expect
      .poll(() => page.evaluate("getComputedStyle(document.querySelector('.VPSidebar')).position"))
      .toBe('fixed');
    await page.locator('main').getByRole('link', { name: 'cause', exact: true }).click();
    await page.getByRole('link', { name: 'surge-deadlock', exact: true }).first().click();
    await page.waitForURL(/\/causes\/surge-deadlock\.html$/);
    await page.getByRole('link', { name: 'Diagnose a dump in the browser' }).click();
    await page.getByRole('button', { name: 'Show an example' }).waitFor();
  });

  it.each(['index', 'npm', 'why-rollouts-deadlock', 'cli', 'alerts'])(
    'fits %s on a phone without scrolling sideways',
    async (name) => {
      const { page } = browser;
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(`${url}/${name}.html`);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    },
  );
});
