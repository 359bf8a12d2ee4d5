import { describe, expect, it } from 'vitest';
import { eventually, isChanged } from '../../support/faults-rig.js';
import { startLoginRig } from './rig.js';

const ofTheChange = { verbs: ['patch'], resources: ['deployments'], dryRun: false };

describe.concurrent('an approval in a namespace whose policy demands the company login', () => {
  it('goes on when app and remediation worker are killed before the button, between the pages', async (context) => {
    const { app, remediation, pressesApply, logsIn, expectUnchanged, expectOneChange, outcomes } =
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
    expect(await outcomes('confirmed')).toBe(1);
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
