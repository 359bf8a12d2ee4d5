import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import type { Stack } from '../../demo/stack.js';
import { type OpenPage, openPage } from '../support/open-page.js';

export interface Stage<Started> {
  readonly stack: Started;
  readonly browser: OpenPage;
  readonly page: Page;
}

/**
 * Starts the product and a browser for the tests of a block, opens a channel, and ends both with them.
 *
 * @param options `channel`: `ml-oncall` when absent
 * @param ready receives both before the first test
 */
export function withStage<Started extends Pick<Stack, 'slack' | 'stop'>>(
  options: {
    readonly channel?: string;
    readonly height?: number;
    readonly touch?: boolean;
    readonly start: () => Promise<Started>;
  },
  ready: (stage: Stage<Started>) => void,
): void {
  const { channel = 'ml-oncall', height = 900, touch = false, start } = options;
  const open: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const stack = await start();
    open.push(() => stack.stop());
    const browser = await openPage({ height, touch });
    open.push(() => browser.close());
    const { page } = browser;
    await page.goto(stack.slack.url);
    await page.getByTestId(`place-${channel}`).click();
    ready({ stack, browser, page });
  });
  afterAll(async () => {
    for (const close of open.reverse()) await close();
  });
}

/** How many changes of Deployments were sent, without dry runs. */
export const changesIn = ({ cluster }: Pick<Stack, 'cluster'>): number =>
  cluster.requests.filter(
    ({ verb, resource, query }) =>
      verb === 'patch' && resource === 'deployments' && !query.includes('dryRun'),
  ).length;

/** The card of the workload in the channel, which has buttons. */
export const cardOf = (page: Page, workload: string): Locator =>
  page
    .getByRole('main')
    .getByTestId('message')
    .filter({ hasText: workload })
    .filter({ has: page.getByRole('button') });

/** Somebody has asked the group in a thread of the channel to approve. */
export const untilApproversAsked = ({ slack }: Pick<Stack, 'slack'>) =>
  slack.until(
    () =>
      slack
        .messages('ml-oncall', { replies: true })
        .some(({ threadTs, blocks }) => threadTs !== undefined && /usergroup/.test(JSON.stringify(blocks))),
    { what: 'the request in the thread', withinMs: 60_000 },
  );
