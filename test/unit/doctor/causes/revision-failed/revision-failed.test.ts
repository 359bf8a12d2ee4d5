import { describe, expect, it } from 'vitest';
import { revisionFailed, text } from '#src/doctor/causes/revision-failed.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { build, leaving, ownedBy } from '../../../../support/kubernetes-objects.js';
import { ago } from '../../../../support/rollout-builders.js';
import { expectFindings, has, mustFind, renderFinding, snapshotOf } from '../run-rule.js';

interface Fields {
  readonly status?: object;
  readonly condition?: object;
  readonly deleted?: boolean;
  readonly revisionOfPod?: string;
  /** Of the pod, which has a node. */
  readonly ready?: 'True' | 'False';
  readonly unseen?: Snapshot['unseen'];
  /** Why the Revision has no healthy container. */
  readonly unhealthy?: { readonly reason: string; readonly message: string };
}

/** `shop/llm`, of which Knative gave revision 2 up 20 minutes ago. */
function givenUp({
  status = {},
  condition = {},
  deleted = false,
  revisionOfPod,
  ready,
  unseen = [],
  unhealthy,
}: Fields) {
  const failed = {
    type: 'ConfigurationsReady',
    status: 'False',
    reason: 'RevisionFailed',
    message: 'Revision "llm-00002" failed with message: password=hunter2.',
    lastTransitionTime: ago(1200),
    ...condition,
  };
  const service = build('KnativeService', 'llm', {
    metadata: { generation: 2, ...(deleted ? leaving(60).metadata : {}) },
    spec: { template: {} },
    status: {
      observedGeneration: 2,
      latestCreatedRevisionName: 'llm-00002',
      latestReadyRevisionName: 'llm-00001',
      conditions: [failed],
      ...status,
    },
  });
  const labels = {
    'serving.knative.dev/service': 'llm',
    'serving.knative.dev/revision': revisionOfPod ?? '',
  };
  const pod = build('Pod', 'llm-x', ownedBy('ReplicaSet', 'llm-x'), {
    metadata: { labels },
    spec: { containers: [], ...(ready === undefined ? {} : { nodeName: 'node-1' }) },
    status: { phase: 'Running', conditions: ready === undefined ? [] : [{ type: 'Ready', status: ready }] },
  });
  const conditions = [{ type: 'ContainerHealthy', status: 'False', ...unhealthy }];
  const Revision =
    unhealthy === undefined ? [] : [build('Revision', 'llm-00002', { status: { conditions } })];
  return snapshotOf(service, revisionOfPod === undefined ? { Revision } : { Revision, Pod: [pod] }, {
    unseen,
  });
}

describe('a revision that Knative has given up', () => {
  expectFindings<Fields>(revisionFailed, givenUp, [
    [
      'is reported with those that serve',
      { revisionOfPod: 'llm-00001' },
      {
        confidence: 'proven',
        facts: { revision: 'llm-00002', serving: ['llm-00001'], failedSeconds: 1200 },
        reasoning: ['given-up', 'serves'],
      },
    ],
    [
      'is reported where none was ever ready',
      { status: { latestReadyRevisionName: '' }, condition: { lastTransitionTime: null } },
      {
        facts: { revision: 'llm-00002', serving: [], failedSeconds: undefined },
        reasoning: ['given-up', 'none-serves'],
      },
    ],
    [
      'is reported where its pods run and are not ready at the deadline',
      { revisionOfPod: 'llm-00002', ready: 'False' },
      { confidence: 'proven', reasoning: ['still-runs', 'serves'] },
    ],
    [
      'is reported with what Knative states about its image, which it looks for again',
      { unhealthy: { reason: 'ContainerMissing', message: 'Unable to fetch image "llm:2": not found' } },
      {
        reasoning: ['image-missing', 'serves'],
        advice: ['advice-image-title'],
        steps: has(expect.objectContaining({ values: expect.objectContaining({ revision: 'llm-00002' }) })),
      },
    ],
    [
      'is reported without what a container wrote, which the Revision repeats',
      { unhealthy: { reason: 'ExitCode1', message: 'Container failed with: password=hunter2' } },
      { reasoning: ['given-up', 'serves'], advice: has('advice-again-title') },
    ],
    ['is not reported where its pods are ready', { revisionOfPod: 'llm-00002', ready: 'True' }],
    ['is not reported where a pod of it waits, whose cause is reported', { revisionOfPod: 'llm-00002' }],
    ['is not reported where the service is being deleted', { deleted: true }],
    ['is not reported where the status is older than the spec', { status: { observedGeneration: 1 } }],
    [
      'is not reported where the latest revision serves',
      { status: { latestReadyRevisionName: 'llm-00002' } },
    ],
    ['is not reported while it is still being started', { condition: { status: 'Unknown' } }],
    ['is not reported for another reason', { condition: { reason: 'LatestReadyDeleted' } }],
    ['is not reported for another condition', { condition: { type: 'RoutesReady' } }],
    [
      'is not reported where pods could not be read',
      { unseen: [{ what: 'Pod', namespace: 'shop', because: 'forbidden', message: '' }] },
    ],
  ]);

  it('is reported without what a container wrote', () => {
    expect(JSON.stringify(mustFind(revisionFailed, givenUp({})))).not.toContain('hunter2');
  });

  it('is not said to have missed a deadline: Knative sets the same condition for an image that it did not find', () => {
    const message = 'Revision "llm-00002" failed with message: Unable to fetch image "llm:2".';
    const { en, ko } = renderFinding(mustFind(revisionFailed, givenUp({ condition: { message } })), text);

    expect([...en, ...ko].join('\n')).not.toMatch(
      /did not become ready before|has given|준비되지 않았습니다|포기/u,
    );
    expect(en.join()).toContain('Knative could not start it');
  });
});
