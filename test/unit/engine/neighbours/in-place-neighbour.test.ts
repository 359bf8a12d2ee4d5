import { describe, expect, it } from 'vitest';
import { inPlaceNeighbours } from '#src/engine/neighbours/replaced-neighbours.js';
import { StatefulSet } from '#src/engine/objects/workload.js';
import { node } from '../../../support/placement-builders.js';
import { ago } from '../../../support/rollout-builders.js';
import { buildSet } from '../../../support/stateful-set-builders.js';
import { buildExamination, foreignPod, ownedPod } from '../../doctor/findings/waiting/build.js';

/** `shop/db`, whose only pod has the former revision. */
function neighbourWith(updateStrategy: object): readonly string[] {
  const counts = { replicas: 1, readyReplicas: 1, currentRevision: 'db-1', updateRevision: 'db-2' };
  const { spec, status } = buildSet({ replicas: 1, status: counts });
  const set = StatefulSet.parse({
    metadata: { name: 'db', namespace: 'shop', uid: 'db-uid', generation: 2 },
    spec: { ...structuredClone(spec), updateStrategy },
    status: structuredClone(status),
  });
  const labels = { 'controller-revision-hash': 'db-1' };
  const pod = foreignPod('db-0', 'StatefulSet', 'db', { on: 'n-a', labels });
  const { conditions } = ownedPod('db-0', 1, { on: 'n-a' }).status;
  const member = { ...pod, status: { ...pod.status, startTime: ago(3600), conditions } };
  const { snapshot } = buildExamination({ Node: [node('n-a')], StatefulSet: [set], Pod: [member] });
  return inPlaceNeighbours(snapshot).flatMap(({ leaving }) => leaving.map(({ metadata }) => metadata.name));
}

describe('a StatefulSet of others whose template has changed', () => {
  it.each<readonly [string, object, readonly string[]]>([
    ['stops its old pod', { type: 'RollingUpdate' }, ['db-0']],
    ['keeps its old pod below the partition', { type: 'RollingUpdate', rollingUpdate: { partition: 1 } }, []],
    ['keeps its old pod until somebody deletes it', { type: 'OnDelete' }, []],
    ['may stop its old pod under a strategy of a later Kubernetes', { type: 'Recreate' }, ['db-0']],
  ])('%s', (_, updateStrategy, leaving) => {
    expect(neighbourWith(updateStrategy)).toEqual(leaving);
  });
});
