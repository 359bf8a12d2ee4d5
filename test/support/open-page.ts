import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Locator, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { darkOf } from './pictures.js';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
);

/** Whether this machine has a browser, such as from `apt-get install chromium`. */
export const hasBrowser = executablePath !== undefined;

if (!hasBrowser) console.warn('No Chromium on this machine: browser tests are skipped.');

/** The folder for README pictures, if they are requested. */
const pictures = process.env.PICTURES;

export interface OpenPage {
  readonly page: Page;
  /**
   * Takes a picture of the page, or of a part of it, in light and in dark colours, if pictures are requested.
   */
  picture(name: string, what?: Page | Locator): Promise<void>;
  /** The modal on top. */
  readonly modal: Locator;
  /** Waits until the modal on top can be submitted, writes the words into its first box, and submits it. */
  submit(words: string): Promise<void>;
  /** Expects that nothing is wider than the window. */
  fits(): Promise<void>;
  /** Closes all modals, the top one first. */
  closeModals(): Promise<void>;
  /**
   * Sends a command as the person of the page, and waits for the answer. Sends it again when Slack had lost
   * its connection to the app, as people would: seeding a cluster can keep this process from answering.
   */
  ask(command: string, answer: Locator): Promise<void>;
  close(): Promise<void>;
}

interface PageOptions {
  readonly height?: number;
  /** Fingers in place of a mouse: nothing hovers. */
  readonly touch?: boolean;
}

/** Starts a browser with a new profile, without connections to its vendor, and opens an empty page. */
export async function openPage({ height = 900, touch = false }: PageOptions = {}): Promise<OpenPage> {
  const profile = await mkdtemp(join(tmpdir(), 'rollout-doctor-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    ...(executablePath === undefined ? {} : { executablePath }),
    headless: true,
    viewport: { width: 1280, height },
    hasTouch: touch,
    isMobile: touch,
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
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(90_000);
  const modal = page.getByTestId('modal').last();
  const button = page.getByTestId('submit').last();
  return {
    page,
    modal,
    async submit(words) {
      await button.waitFor();
      await modal.getByRole('textbox').first().fill(words);
      await button.click();
    },
    async fits() {
      const overhang = () => page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      await expect.poll(overhang).toBeLessThanOrEqual(0);
    },
    async picture(name, what = page) {
      if (pictures === undefined) return;
      await what.screenshot({ path: join(pictures, `${name}.png`) });
      await page.emulateMedia({ colorScheme: 'dark' });
      await what.screenshot({ path: join(pictures, darkOf(`${name}.png`)) });
      await page.emulateMedia({ colorScheme: 'light' });
    },
    async closeModals() {
      for (;;) {
        const open = await page.getByTestId('modal').count();
        if (open === 0) return;
        await page.keyboard.press('Escape');
        await expect.poll(() => page.getByTestId('modal').count()).toBeLessThan(open);
      }
    },
    async ask(command, answer) {
      const failed = page.getByText('failed with the error');
      let failures = -1;
      await expect
        .poll(
          async () => {
            if ((await failed.count()) > failures) {
              failures = await failed.count();
              await page.getByTestId('composer').fill(command);
              await page.getByTestId('composer').press('Enter');
            }
            return await answer.count();
          },
          { timeout: 90_000, interval: 250 },
        )
        .toBeGreaterThan(0);
    },
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}
