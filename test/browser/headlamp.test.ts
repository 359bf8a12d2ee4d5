import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLocalCluster, type LocalCluster } from '../../demo/cluster/local-cluster.js';
import { type HeadlampPage, startHeadlampPage } from '../support/headlamp-page.js';
import { hasBrowser, type OpenPage, openPage } from '../support/open-page.js';

const recording = join(import.meta.dirname, '../scenarios/gpu-one-node');
const shop = [{ verbs: ['list'], apiGroups: ['*'], resources: ['*'], namespaces: ['shop'] }];
const users = [
  { name: 'sam', token: 'sam', rules: shop },
  { name: 'lee', token: 'lee', rules: [] },
];

/** The built plug-in, with a thin stand-in for Headlamp and a served Kubernetes API. */
describe.runIf(hasBrowser)('the section in Headlamp', () => {
  let cluster: LocalCluster;
  let headlamp: HeadlampPage;
  let browser: OpenPage;
  let page: Page;
  let token = 'admin';
  const errors: string[] = [];

  beforeAll(async () => {
    cluster = await createLocalCluster({ users });
    await cluster.loadRecording(recording);
    headlamp = await startHeadlampPage(async (path) => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${cluster.url}${path}`, { headers });
      return { status: answer.status, body: await answer.text() };
    });
    browser = await openPage();
    ({ page } = browser);
    page.on('pageerror', ({ message }) => errors.push(message));
  });
  afterAll(async () => {
    await browser?.close();
    await headlamp?.close();
    await cluster?.close();
  });
  beforeEach(async () => {
    token = 'admin';
    headlamp.answerWith(undefined);
    await page.goto(headlamp.urlOf('Deployment', 'shop', 'inference'));
  });

  const ask = () => page.getByRole('button', { name: 'Find out why the rollout is stuck' });
  const card = () => page.locator('article');
  const answer = () => page.locator('section > div, section > [role=alert]').first();

  it.each([1280, 390])('shows cause, picture and command on a page of %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 844 });
    await ask().click();
    await card().waitFor();

    const said = (await card().textContent()) ?? '';
    expect(said).toContain('surge-deadlock');
    expect(said).toContain('kubectl -n shop patch deployment/inference');
    expect(await card().locator('svg').count()).toBeGreaterThan(0);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(await page.title()).toBe('');
    expect(headlamp.asked.every((each) => each.startsWith('GET /'))).toBe(true);
    expect(headlamp.asked.join('\n')).not.toMatch(/secrets|configmaps|\/log/u);
    await browser.picture(`headlamp-${width}`);
  });

  it.each([
    ['sam', 'forbidden'],
    ['lee', 'could not be read'],
  ])('says what %s may not read, and proves nothing', async (person, says) => {
    token = person;
    await ask().click();
    await answer().waitFor();

    const said = (await page.locator('main').textContent()) ?? '';
    expect(said).toContain(says);
    expect(said).not.toContain('proven');
  });

  it.each([
    ['that is no JSON', { status: 200, body: '<html>' }],
    ['of another form', { status: 200, body: '{"items":{"length":1e9}}' }],
    ['that is null', { status: 200, body: 'null' }],
    ['of a gateway', { status: 502, body: '<html>bad gateway' }],
    ['without a right', { status: 403, body: '{"message":"no"}' }],
  ])('never finds the workload healthy by an answer %s', async (_, damaged) => {
    headlamp.answerWith(damaged);
    await ask().click();
    await answer().waitFor();

    const said = (await page.locator('main').textContent()) ?? '';
    expect(said).not.toMatch(/No problem found|proven/u);
    await ask().waitFor();
    headlamp.answerWith(undefined);
    await ask().click();
    await card().getByText('surge-deadlock').first().waitFor();
  });

  it('reads once however often people press, and leaves nothing behind when the page is left meanwhile', async () => {
    headlamp.answerWith('never');
    const before = headlamp.asked.length;
    await ask().dblclick();
    await page.getByRole('button', { name: 'Reading the cluster …' }).waitFor();
    expect(await page.getByRole('button', { name: 'Reading the cluster …' }).isDisabled()).toBe(true);
    const paths = headlamp.asked.slice(before);
    expect(new Set(paths).size).toBe(paths.length);

    await page.locator('#leave').click();
    await expect.poll(() => page.locator('section').count()).toBe(0);
    expect(errors).toEqual([]);
  });

  it('shows nothing on the page of another kind', async () => {
    await page.goto(headlamp.urlOf('ConfigMap', 'shop', 'inference'));
    await page.locator('#leave').waitFor();
    expect(await page.locator('section').count()).toBe(0);
  });
});
