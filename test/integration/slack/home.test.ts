import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DoctorError } from '#src/errors.js';
import { type Rig, read, startRig } from '#support/slack-rig.js';

let rig: Rig;
beforeEach(async () => {
  rig = await startRig({ mode: 'http' });
});
afterEach(() => rig.close());

async function pageOf(person: string, words: string): Promise<void> {
  await rig.slack.until(
    () => {
      const home = rig.slack.as(person).home();
      return home !== undefined && read(home).includes(words);
    },
    { what: `a page with "${words}"` },
  );
}

it('the Home page is rendered for the person who opens it, again each time', async () => {
  rig.slack.as('dana').opensHome();
  await pageOf('dana', 'The page of @U0DANA');
  expect(rig.slack.as('sam').home()).toBeUndefined();

  const before = rig.slack.calls('views.publish').length;
  rig.slack.as('dana').opensHome();
  await vi.waitFor(() => expect(rig.slack.calls('views.publish')).toHaveLength(before + 1), {
    timeout: 60_000,
  });
});

it('a Home page that fails states so in the language of its reader', async () => {
  rig.let({
    homePage: async () => {
      throw new DoctorError({ code: 'redis-unavailable', message: 'Redis is away', retryable: true });
    },
  });
  rig.slack.as('dana').opensHome();
  await pageOf('dana', 'Redis does not answer');
  rig.slack.as('min-jun').opensHome();
  await pageOf('min-jun', '다시 열어 주세요');
});

it('a Home page that Slack rejects is logged', async () => {
  rig.let({ homePage: async () => ({ text: 'x', blocks: [{ type: 'header' } as never] }) });
  rig.slack.as('dana').opensHome();
  await vi.waitFor(
    () => expect(rig.logged.map(({ msg }) => msg)).toContain('a Home page could not be published'),
    { timeout: 60_000 },
  );
});
