import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alertmanagerBody } from '#support/alert-payloads.js';
import { type AlertRig, startAlertRig } from './rig.js';

let rig: AlertRig;

beforeAll(async () => {
  rig = await startAlertRig();
});

afterAll(async () => {
  await rig.stop();
});

describe('an alert of a webhook', () => {
  it('gets a card in its channel, and its retry changes nothing', async () => {
    const body = alertmanagerBody({});
    const first = await rig.post(body);
    const again = await rig.post(body);

    expect([first.status, await first.json()]).toEqual([200, { recorded: 1, repeated: 0 }]);
    expect([again.status, await again.json()]).toEqual([200, { recorded: 0, repeated: 1 }]);
    const card = await rig.untilCardShows(/shop\/inference[\s\S]*proven/);
    expect(rig.textOf(card)).toContain('KubeDeploymentRolloutStuck');
    expect(rig.cards()).toHaveLength(1);
  });

  it('with another name joins the incident, and its card counts the alert', async () => {
    await rig.post(
      alertmanagerBody({
        labels: { alertname: 'KubePodNotReady', namespace: 'shop', pod: 'inference-new' },
        fingerprint: 'ffff000011112222',
      }),
    );
    await rig.post(
      alertmanagerBody({
        labels: { alertname: 'KubeDeploymentReplicasMismatch', namespace: 'shop', deployment: 'inference' },
        fingerprint: '0000111122223333',
      }),
    );

    const card = await rig.untilCardShows('KubeDeploymentReplicasMismatch');
    expect(rig.textOf(card)).toMatch(/fired [23] times/);
    expect(rig.cards()).toHaveLength(1);
  });
});
