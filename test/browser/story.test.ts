import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedInference } from '../../demo/cluster/seed/inference-gpu.js';
import { type Stack, startStack } from '../../demo/stack.js';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
);
if (executablePath === undefined)
  console.warn('No Chromium on this machine: the demo is not clicked through.');

/** Where pictures for the README go when asked for. */
const pictures = process.env.PICTURES;

/** The demo as a newcomer walks through it. `apt-get install chromium` brings the browser. */
describe.runIf(executablePath !== undefined)('the demo', () => {
  let stack: Stack;
  let context: BrowserContext;
  let page: Page;
  let profile: string;

  beforeAll(async () => {
    stack = await startStack();
    await seedInference(stack.cluster);
    profile = await mkdtemp(join(tmpdir(), 'rollout-doctor-browser-'));
    context = await chromium.launchPersistentContext(profile, {
      ...(executablePath === undefined ? {} : { executablePath }),
      headless: true,
      viewport: { width: 1280, height: 900 },
      timezoneId: 'UTC',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
    page = context.pages()[0] ?? (await context.newPage());
    page.setDefaultTimeout(90_000);
    await page.goto(stack.slack.url);
    await page.getByTestId('place-ml-oncall').click();
  });

  afterAll(async () => {
    await context?.close();
    await stack?.stop();
    if (profile !== undefined) await rm(profile, { recursive: true, force: true });
  });

  const picture = async (name: string): Promise<void> => {
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) });
  };
  const playAs = async (name: string): Promise<void> => {
    await page.getByTestId('person').selectOption(`U0${name.toUpperCase().replace('-', '')}`);
    await page.getByTestId('place-ml-oncall').click();
  };
  const closeModals = async (): Promise<void> => {
    while ((await page.getByTestId('modal').count()) > 0) {
      const open = await page.getByTestId('modal').count();
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByTestId('modal').count()).toBeLessThan(open);
    }
  };
  const card = () =>
    page
      .getByTestId('message')
      .filter({ hasText: 'ml/inference' })
      .filter({ has: page.getByRole('button') });

  it('answers the command with a card that proves the deadlock', async () => {
    await page.getByTestId('composer').fill('/rollout-doctor deploy/inference -n ml');
    await page.getByTestId('composer').press('Enter');
    await card().getByText('waits for itself').first().waitFor();
    await picture('card');

    expect(await card().count()).toBe(1);
    expect(await card().textContent()).toContain('nvidia.com/gpu');
    expect(await card().textContent()).toContain('gpu-a');
  });

  it('tells a person without the right whom to ask, and changes nothing', async () => {
    await playAs('sam');
    await card()
      .getByRole('button', { name: /Review/ })
      .first()
      .click();
    const modal = page.getByTestId('modal');
    await modal.getByText('@ml-oncall').waitFor();
    await picture('refused');

    expect(
      stack.cluster.requests.some(({ verb, query }) => verb === 'patch' && !query.includes('dryRun')),
    ).toBe(false);
    await page.keyboard.press('Escape');
    await modal.waitFor({ state: 'detached' });
  });

  it('shows diff, price and dry run before the click, applies once, and shows the healed card', async () => {
    await playAs('dana');
    await card()
      .getByRole('button', { name: /Review/ })
      .first()
      .dblclick();
    const modal = page.getByTestId('modal').last();
    await modal.getByText('maxSurge').first().waitFor();
    await picture('review');
    await modal.getByRole('textbox').first().fill('GPU deadlock');
    await page.getByTestId('submit').last().dblclick();
    await card().getByText('has recovered').first().waitFor();
    await closeModals();
    await picture('healed');

    const patches = stack.cluster.requests.filter(
      ({ verb, resource, query }) =>
        verb === 'patch' && resource === 'deployments' && !query.includes('dryRun'),
    );
    expect(patches).toHaveLength(1);
    expect(await card().count()).toBe(1);
  });

  it('puts the former strategy back on Undo', async () => {
    await card().getByRole('button', { name: /undo/i }).first().click();
    const modal = page.getByTestId('modal').last();
    await modal.getByText('maxSurge').first().waitFor();
    await modal.getByRole('textbox').first().fill('back to normal');
    await page.getByTestId('submit').last().click();
    await stack.slack.until(
      () => {
        const spec = stack.cluster.find('apps/v1', 'Deployment', 'ml', 'inference')?.spec;
        return JSON.stringify(spec).includes('"maxSurge":"25%"') || undefined;
      },
      { what: 'the former strategy' },
    );
    await picture('undone');
  });
});
