import { describe, expect, it } from 'vitest';
import { failedCreationsOf, failingForSeconds } from '#src/engine/creation/failed-creation.js';
import { Deployment } from '#src/engine/objects/workload.js';
import { ago, buildDeployment } from '../../../support/rollout-builders.js';
import { snapshotOf } from '../../doctor/causes/run-rule.js';
import { creationEvent, type RefusedFields, refused } from './build.js';

const failures = (fields: RefusedFields = {}) => failedCreationsOf(refused(fields));

describe('a failed creation of pods', () => {
  it('is read from the ReplicaFailure of the ReplicaSet that lacks pods', () => {
    const snapshot = refused();
    const [failed, ...more] = failedCreationsOf(snapshot);

    expect(more).toEqual([]);
    expect(failed).toMatchObject({
      owner: { kind: 'ReplicaSet', name: 'web-2' },
      isNewest: true,
      missing: 1,
      what: 'pod',
      field: 'status.conditions[ReplicaFailure]',
      since: ago(1500),
    });
    expect(failed && failingForSeconds(snapshot, failed)).toBe(1500);
  });

  it('is read from a newer event with another message, since the condition keeps the first', () => {
    const [failed] = failures({
      message: 'first',
      events: [creationEvent('FailedCreate', 'Error creating: later', 20)],
    });

    expect(failed).toMatchObject({ message: 'Error creating: later', since: ago(1500), lastSeen: ago(20) });
  });

  it('has ended once the same controller has created a pod', () => {
    const events = [
      creationEvent('FailedCreate', 'Error creating: x', 20),
      creationEvent('SuccessfulCreate', 'Created pod: web-2-a', 10),
    ];

    expect(failures({ message: undefined, events })).toEqual([]);
    expect(failures({ message: undefined, events: events.slice(0, 1) })).toHaveLength(1);
  });

  it('is ignored where no pod is missing, whatever the status still contains', () => {
    expect(failures({ missing: 0, newPods: [{ name: 'new-0' }] })).toEqual([]);
  });

  it('is reported where the pods could not be read', () => {
    const unseen = [{ what: 'Pod', namespace: 'shop', because: 'forbidden', message: '' }] as const;

    expect(failures({ missing: 1, newPods: [], unseen })).toHaveLength(1);
  });

  it('may be that of the ReplicaSet itself', () => {
    const workload = buildDeployment();
    const failing = Deployment.parse({
      ...workload,
      spec: { ...workload.spec, template: workload.spec.template.raw },
      status: {
        observedGeneration: 2,
        conditions: [
          {
            type: 'Progressing',
            status: 'False',
            reason: 'ReplicaSetCreateError',
            message: 'Failed to create new replica set "web-9": replicasets.apps "web-9" is forbidden: no',
          },
        ],
      },
    });

    expect(failedCreationsOf(snapshotOf(failing, {}))).toMatchObject([
      { what: 'replica-set', owner: { kind: 'Deployment' }, field: 'status.conditions[Progressing]' },
    ]);
  });
});
