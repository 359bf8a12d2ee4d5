import { describe, expect, it } from 'vitest';
import type { RequestedChange } from '#src/doctor/fixes/requested-change.js';
import { forecastRequested } from '#src/doctor/requested/with-requested.js';
import { plain } from '#src/engine/language/prose.js';
import { createTell } from '#src/service/create-engine.js';
import { scenarios } from '../../../support/scenarios/expectation.js';
import { snapshotOf } from '../../../support/scenarios/snapshot-of.js';

const tell = createTell();
const restart: RequestedChange = { kind: 'restart-rollout' };
const rollback: RequestedChange = { kind: 'undo-rollout' };
const exclude = (node: string): RequestedChange => ({ kind: 'exclude-nodes', nodes: [node] });

async function forecast(change: RequestedChange, name: string) {
  const scenario = scenarios().find(({ folder }) => folder.endsWith(`/${name}`));
  if (scenario === undefined) throw new Error(`${name} is not recorded`);
  return forecastRequested(change, await snapshotOf(scenario));
}

async function possible(change: RequestedChange, name: string) {
  const found = await forecast(change, name);
  if (found.type !== 'possible') throw new Error(plain(tell(found.because, 'en')));
  const warnings = found.warnings.map((warning) => plain(tell(warning, 'en')));
  const effects = found.remediation.effects.map((each) => plain(tell(each, 'en')));
  return { price: found.remediation.price, warnings, effects };
}

describe('what follows a requested change', () => {
  it('is doubted where pods with the same template fail now', async () => {
    const alike =
      'New pods may fail too. billing-6784f4b7f7-jhqvz and billing-6784f4b7f7-wv6js have the same image and settings, and do not become ready.';
    expect((await possible(restart, 'app-crash-with-log')).warnings).toEqual([alike]);
    expect((await possible(exclude('n-b'), 'app-crash-with-log')).warnings).toEqual([
      'New pods may fail too. billing-6784f4b7f7-wv6js has the same image and settings, and does not become ready.',
    ]);
    expect((await possible(rollback, 'crash-after-rollout')).warnings).toEqual([]);
  });

  it('is no new revision where a Rollout restarts its pods', async () => {
    const { price, effects } = await possible(restart, 'argo-rollouts/aborted');
    expect(effects[0]).toContain('The revision stays the same.');
    expect(price.drift).toBe('none');
  });

  it('names the fields that a rollback of a Rollout changes in its pods, without their defaults', async () => {
    const { effects } = await possible(rollback, 'argo-rollouts/blue-green');
    expect(effects[1]).toBe('The rollback changes spec.template.spec.containers[app].image.');
  });

  it('is a pod that waits for a person under OnDelete', async () => {
    const { warnings } = await possible(rollback, 'controls/node-has-just-joined');
    expect(warnings).toEqual(['With OnDelete, the controller replaces a pod only after someone deletes it.']);
  });

  it('is nothing where the template is in another workload', async () => {
    expect(await forecast(exclude('gpu-a'), 'argo-rollouts/template-of-a-deployment')).toMatchObject({
      type: 'impossible',
      because: { key: 'withheld-elsewhere' },
    });
  });

  it('names no pod that does not exist yet', async () => {
    const { warnings } = await possible(restart, 'reported/data-directory-already-in-use');
    expect(warnings.join(' ')).not.toContain('-next-');
  });
});
