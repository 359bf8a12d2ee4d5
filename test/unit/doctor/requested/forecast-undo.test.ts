import { describe, expect, it } from 'vitest';
import type { UndoPlan } from '#src/doctor/fixes/plan.js';
import type { Remediation } from '#src/doctor/fixes/remediation.js';
import { forecastUndo } from '#src/doctor/requested/forecast-undo.js';
import { plain } from '#src/engine/language/prose.js';
import type { Pod } from '#src/engine/objects/pod.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { createTell } from '#src/service/create-engine.js';
import { node } from '../../../support/placement-builders.js';
import { buildPatchStrategy, buildUndoRollout } from '../../../support/records.js';
import { buildSnapshot, stuckOnGpu } from '../../../support/remediation-builders.js';
import { buildDeployment, buildPod, buildReplicaSet } from '../../../support/rollout-builders.js';

const tell = createTell();

const onePod = [buildPod({ name: 'web-2-a', node: 'n-a', owner: { name: 'web-2', uid: 'web-2-uid' } })];

/** `shop/web` with one ready pod of revision 2, and revision 1 kept. */
function atRest(pods: readonly Pod[] = onePod): Snapshot {
  const current = buildReplicaSet({ revision: 2, replicas: 1, available: 1 });
  const former = buildReplicaSet({ revision: 1, replicas: 0 });
  const objects = { ReplicaSet: [current, former], Pod: [...pods], Node: [node('n-a')] };
  return buildSnapshot(buildDeployment(), objects);
}

function patch(spec: object, path: string): UndoPlan {
  return {
    request: { verb: 'patch', patchType: 'merge', body: { spec } },
    expects: [{ path, before: 1, after: 0 }],
  };
}

const surge = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
const ofStrategy = patch({ strategy: surge }, 'spec.strategy.rollingUpdate.maxSurge');
const ofPause = patch({ paused: true }, 'spec.paused');
const ofTemplate = patch(
  { template: { metadata: { annotations: { x: null, y: 'b' } } } },
  'spec.template.metadata.annotations[y]',
);
const ofRevision: UndoPlan = {
  request: { verb: 'restore-template', from: { kind: 'ReplicaSet', name: 'web-1', uid: 'web-1-uid' } },
  expects: [],
};
const { title, effects, price, prediction } = buildPatchStrategy();
const resume: Remediation = { kind: 'resume-rollout', id: 'r', title, effects, price, prediction };

function mustForecast(remediation: Remediation, undo: UndoPlan, snapshot = atRest()) {
  const forecast = forecastUndo(remediation, undo, snapshot);
  if (forecast === undefined) throw new Error('must be forecast');
  return { ...forecast, says: forecast.effects.map((each) => plain(tell(each, 'en'))).join(' ') };
}

describe('the forecast of an undo', () => {
  it('moves no pod where only the strategy of a completed rollout is restored', () => {
    const { says, price, prediction } = mustForecast(buildPatchStrategy(), ofStrategy);
    expect(says).toBe(
      'No pod stops or starts. The restored settings also apply to the next update, which may get stuck again.',
    );
    expect(price).toMatchObject({ downtime: { kind: 'none' }, blastRadius: { pods: 0 } });
    expect(prediction.ends).toBe('complete');
  });

  it('ends in a deadlock where the restored strategy deadlocks the current rollout', () => {
    const deployment = { maxSurge: 0, maxUnavailable: 1 };
    const { prediction } = mustForecast(buildPatchStrategy(), ofStrategy, stuckOnGpu({ deployment }));
    expect(prediction.ends).toBe('stuck');
  });

  it.each([
    ['a patched template', ofTemplate],
    ['a kept revision', ofRevision],
  ])('replaces the pods where it restores %s', (_, undo) => {
    const { says, price, prediction } = mustForecast(buildUndoRollout([]), undo);
    expect(says).toBe(
      'The controller rolls out the restored pod template. The controller stops 1 pod (up to 30 s). The controller starts 1 pod.',
    );
    expect(price.blastRadius.pods).toBe(1);
    expect(prediction.ends).toBe('complete');
  });

  it('pauses without moving a pod', () => {
    expect(mustForecast(resume, ofPause).says).toBe(
      'The rollout pauses, and the controller replaces no more pods. No pod stops or starts.',
    );
  });

  it.each<[string, UndoPlan, Snapshot]>([
    ['a field that the engines do not know', patch({ replicas: 3 }, 'spec.replicas'), atRest()],
    ['pods that could not be read', ofStrategy, atRest([])],
  ])('is absent for %s', (_, undo, snapshot) => {
    expect(forecastUndo(buildPatchStrategy(), undo, snapshot)).toBeUndefined();
  });
});
