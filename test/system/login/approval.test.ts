import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, isChanged } from '../../support/faults-rig.js';
import { type LoginRig, startLoginRig } from './rig.js';

const ofTheChange = { verbs: ['patch'], resources: ['deployments'], dryRun: false };

describe('an approval in a namespace whose policy demands the company login', () => {
  let login: LoginRig;
  beforeAll(async () => {
    login = await startLoginRig();
  });
  afterAll(() => login?.stop());

  it('goes on when app and remediation worker are killed before the button, between the pages', async () => {
    const { app, remediation } = login;
    const { pressesApply, logsIn, expectUnchanged, expectOneChange, outcomes } =
      await login.deadlocked('between');
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
    expect(await outcomes('confirmed')).toBe(1);
  });

  it('is made once when the remediation worker is killed between the change and its record', async () => {
    const { remediation } = login;
    const { rig, pressesApply, logsIn, expectOneChange } = await login.deadlocked('recorded');
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
