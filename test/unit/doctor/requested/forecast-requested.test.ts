import { describe, expect, it } from 'vitest';
import type { RequestedForecast } from '#src/doctor/findings/diagnosis.js';
import { needsConfirmation } from '#src/doctor/fixes/remediation.js';
import type { RequestedChange } from '#src/doctor/fixes/requested-change.js';
import { forecastRequested } from '#src/doctor/requested/with-requested.js';
import { plain } from '#src/engine/language/prose.js';
import { createTell } from '#src/service/create-engine.js';
import { node } from '../../../support/placement-builders.js';
import { buildSnapshot, stuckOnGpu } from '../../../support/remediation-builders.js';
import { buildDeployment, buildPod, buildReplicaSet } from '../../../support/rollout-builders.js';
import { buildSet } from '../../../support/stateful-set-builders.js';

const tell = createTell();
const restart: RequestedChange = { kind: 'restart-rollout' };

/** `shop/web` without a rollout in progress, on nodes that can run a surge pod. */
function atRest(deployment = buildDeployment()) {
  const replicaSet = buildReplicaSet({ revision: 2, replicas: 1, available: 1 });
  const pod = buildPod({ name: 'web-2-a', node: 'n-a', owner: { name: 'web-2', uid: 'web-2-uid' } });
  return buildSnapshot(deployment, { ReplicaSet: [replicaSet], Pod: [pod], Node: [node('n-a')] });
}

function possible(forecast: RequestedForecast) {
  if (forecast.type !== 'possible') throw new Error(`impossible: ${forecast.because.key}`);
  return forecast;
}

function keysOf(forecast: RequestedForecast): readonly string[] {
  return possible(forecast).warnings.map(({ key }) => key);
}

describe('the forecast of a requested change', () => {
  it('has no warning where the rollout completes, and needs no confirmation', () => {
    const { remediation, verdict, warnings } = possible(forecastRequested(restart, atRest()));

    expect(verdict).toBeUndefined();
    expect(remediation).toMatchObject({
      kind: 'restart-rollout',
      id: 'requested-restart-rollout',
      prediction: { ends: 'complete' },
    });
    expect(warnings).toEqual([]);
    expect(needsConfirmation(remediation)).toBe(false);
  });

  it('names the deadlock and the resource that the old pods keep first', () => {
    const { remediation, verdict, warnings } = possible(forecastRequested(restart, stuckOnGpu()));

    expect(verdict?.key).toBe('would-deadlock');
    expect(warnings[0]?.key).toBe('capacity-in-use');
    expect(warnings.map(({ key }) => key)).toContain('held-by');
    expect(needsConfirmation(remediation)).toBe(true);
    const warningText = warnings.map((warning) => plain(tell(warning, 'en'))).join(' ');
    expect(warningText).not.toContain('would deadlock');
    expect(warningText).toContain('nvidia.com/gpu');
  });

  it('names the outage of a strategy that stops all pods first', () => {
    const forecast = forecastRequested(restart, atRest(buildDeployment({ recreate: true })));

    expect(possible(forecast).verdict?.key).toBe('outage');
    expect(keysOf(forecast)).toEqual(['no-pod-ready']);
    expect(needsConfirmation(possible(forecast).remediation)).toBe(true);
  });

  it('states that the outcome is unknown where the pods could not be read', () => {
    const unread = buildSnapshot(buildDeployment(), {
      ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1, available: 1 })],
    });

    expect(keysOf(forecastRequested(restart, unread))[0]).toBe('end-unknown');
    expect(needsConfirmation(possible(forecastRequested(restart, unread)).remediation)).toBe(true);
  });

  it.each<readonly [string, RequestedChange, Parameters<typeof forecastRequested>[1], string]>([
    ['a restart while paused', restart, atRest(buildDeployment({ paused: true })), 'withheld-paused'],
    ['a restart under OnDelete', restart, buildSnapshot(buildSet({ onDelete: true })), 'withheld-on-delete'],
    ['a rollback without a former revision', { kind: 'undo-rollout' }, atRest(), 'withheld-none-kept'],
    [
      'the exclusion of an unknown node',
      { kind: 'exclude-nodes', nodes: ['n-zzz'] },
      atRest(),
      'withheld-no-node',
    ],
    ['resuming a Deployment that is not paused', { kind: 'resume-rollout' }, atRest(), 'resume-not-paused'],
    [
      'resuming a StatefulSet',
      { kind: 'resume-rollout' },
      buildSnapshot(buildSet()),
      'resume-needs-deployment',
    ],
  ])('is impossible for %s', (_, change, snapshot, key) => {
    expect(forecastRequested(change, snapshot)).toMatchObject({ type: 'impossible', because: { key } });
  });

  it('states every warning in English and Korean', () => {
    for (const snapshot of [stuckOnGpu(), atRest(buildDeployment({ recreate: true }))]) {
      for (const warning of possible(forecastRequested(restart, snapshot)).warnings) {
        for (const language of ['en', 'ko'] as const) {
          expect(plain(tell(warning, language)).length).toBeGreaterThan(10);
        }
      }
    }
  });
});
