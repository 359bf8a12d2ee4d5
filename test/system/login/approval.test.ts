import { describe, expect, it } from 'vitest';
import { eventually, isChanged } from '#support/faults-rig.js';
import { startLoginRig } from './rig.js';

const ofTheChange = { verbs: ['patch'], resources: ['deployments'], dryRun: false };

describe.concurrent('an approval in a namespace whose policy demands the company login', () => {
  it('counts after the login and the button, is made once, and verified', async (context) => {
    const { rig, pressesApply, logsIn, expectUnchanged, expectOneChange, outcomes } =
      await startLoginRig(context);
    const url = await pressesApply();
    expect(JSON.stringify([rig.slack.messages('ml-oncall'), rig.slack.modals('min-jun')])).not.toContain(url);

    const { browser, page } = await logsIn(url);
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('maxSurge')]);
    expectUnchanged();
    expect((await browser.press(page)).text).toContain('Approved');

    await expectOneChange();
    expect(isChanged(rig)).toBe(true);

    const again = await browser.open(url);
    expect([again.status, again.text]).toEqual([410, expect.stringContaining('already used')]);
    const pressedAgain = await browser.press(page);
    expect([pressedAgain.status, pressedAgain.text]).toEqual([410, expect.stringContaining('already used')]);
    expect(rig.changes().filter(({ resource }) => resource === 'deployments')).toHaveLength(1);
    expect(await outcomes('confirmed')).toBe(1);
  });

  it('does not count by the login of another person, nor by a cancelled one; the link works afterwards', async (context) => {
    const { company, pressesApply, logsIn, expectUnchanged, expectOneChange, outcomes } =
      await startLoginRig(context);
    const url = await pressesApply();

    const stranger = (await logsIn(url, 'robin')).page;
    expect([stranger.status, stranger.text]).toEqual([403, expect.stringContaining('a different person')]);
    expect(stranger.text).not.toContain('maxSurge');
    const colleague = (await logsIn(url, 'min-jun')).page;
    expect(colleague.status, 'who may approve, but did not press Apply').toBe(403);
    company.world.cancels = true;
    const cancelled = (await logsIn(url)).page;
    expect([cancelled.status, cancelled.text]).toEqual([403, expect.stringContaining('was cancelled')]);
    expectUnchanged();
    company.world.cancels = false;

    const { browser, page } = await logsIn(url);
    expect((await browser.press(page)).text).toContain('Approved');
    await expectOneChange();
    expect([await outcomes('other-person'), await outcomes('declined')]).toEqual([2, 1]);
  });

  it('of a Korean person shows Korean pages, and the thread names that person', async (context) => {
    const { pressesApply, logsIn, expectOneChange } = await startLoginRig(context);
    const url = await pressesApply('min-jun');

    expect((await logsIn(url, 'dana')).page.text).toContain('다른 계정으로 로그인했습니다');
    const { browser, page } = await logsIn(url, 'min-jun');
    expect(page.text).toContain('이 변경 확인');
    expect((await browser.press(page)).text).toContain('승인되었습니다');

    await expectOneChange('min-jun');
  });

  it('counts no longer when its review has expired, and a new review works', async (context) => {
    const { rig, pressesApply, logsIn, expectUnchanged, expectOneChange } = await startLoginRig(context, {
      APPROVAL_MINUTES: '1',
    });
    const url = await pressesApply();
    const { browser, page } = await logsIn(url);
    expect(page.status).toBe(200);

    await eventually('the link has expired', async () => (await logsIn(url)).page.status === 410);
    const late = await browser.press(page);
    expect(late.status).toBeGreaterThanOrEqual(409);
    expect(late.text).toContain('expired');
    expectUnchanged();
    expect(isChanged(rig)).toBe(false);

    const next = await logsIn(await pressesApply());
    expect((await next.browser.press(next.page)).text).toContain('Approved');
    await expectOneChange();
  });

  it('goes on when app and remediation worker are killed before the button, between the pages', async (context) => {
    const { app, remediation, pressesApply, logsIn, expectUnchanged, expectOneChange } =
      await startLoginRig(context);
    const url = await pressesApply();
    await app.kill();
    await app.start();
    const { browser, page } = await logsIn(url);
    await Promise.all([app.kill(), remediation.kill()]);
    await app.start();
    expectUnchanged();

    expect((await browser.press(page)).text).toContain('Approved');
    await remediation.start();

    await expectOneChange();
  });

  it('is made once when the remediation worker is killed between the change and its record', async (context) => {
    const { rig, remediation, pressesApply, logsIn, expectOneChange } = await startLoginRig(context);
    const { browser, page } = await logsIn(await pressesApply());
    rig.cluster.faults.add({ match: ofTheChange, effect: { type: 'withhold-answer' } });
    expect((await browser.press(page)).text).toContain('Approved');
    await eventually('the object is changed', () => isChanged(rig));
    await remediation.kill();
    rig.cluster.faults.clear();
    await remediation.start();

    await expectOneChange();
  });
});
