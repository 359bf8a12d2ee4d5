import { describe, expect, it } from 'vitest';
import { KnativeService } from '#src/core/cluster/knative-service.js';
import { Pod } from '#src/core/cluster/pod.js';
import type { Snapshot } from '#src/core/cluster/snapshot.js';
import { revisionFailed } from '#src/core/diagnosis/causes/revision-failed/rule.js';
import { text } from '#src/core/diagnosis/causes/revision-failed/text.js';
import { foundBy, keysOf, mustFind, renderFinding, snapshotOf } from '../run-rule.js';

interface Fields {
  readonly status?: object;
  readonly condition?: object;
  readonly deleted?: boolean;
  readonly revisionOfPod?: string;
  readonly unseen?: Snapshot['unseen'];
}

/** `shop/llm`, of which Knative gave revision 2 up 20 minutes ago. */
function givenUp({ status = {}, condition = {}, deleted = false, revisionOfPod, unseen = [] }: Fields = {}) {
  const service = KnativeService.parse({
    metadata: {
      namespace: 'shop',
      name: 'llm',
      generation: 2,
      ...(deleted ? { deletionTimestamp: '2026-11-20T09:29:00Z' } : {}),
    },
    spec: { template: {} },
    status: {
      observedGeneration: 2,
      latestCreatedRevisionName: 'llm-00002',
      latestReadyRevisionName: 'llm-00001',
      conditions: [
        {
          type: 'ConfigurationsReady',
          status: 'False',
          reason: 'RevisionFailed',
          message: 'Revision "llm-00002" failed with message: password=hunter2.',
          lastTransitionTime: '2026-11-20T09:10:00Z',
          ...condition,
        },
      ],
      ...status,
    },
  });
  const labels = {
    'serving.knative.dev/service': 'llm',
    'serving.knative.dev/revision': revisionOfPod ?? '',
  };
  const pod = Pod.parse({
    metadata: {
      namespace: 'shop',
      name: 'llm-x',
      labels,
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'llm-x', uid: 'x', controller: true },
      ],
    },
    spec: { containers: [] },
  });
  return snapshotOf(service, revisionOfPod === undefined ? {} : { Pod: [pod] }, { unseen });
}

describe('a revision that Knative has given up', () => {
  it('is reported with those that serve, and without what a container wrote', () => {
    const finding = mustFind(revisionFailed, givenUp({ revisionOfPod: 'llm-00001' }));

    expect(finding).toMatchObject({
      confidence: 'proven',
      facts: { revision: 'llm-00002', serving: ['llm-00001'], failedSeconds: 1200 },
    });
    expect(keysOf(finding.reasoning)).toEqual(['given-up', 'serves']);
    expect(JSON.stringify(finding)).not.toContain('hunter2');
    expect(renderFinding(finding, text).en).toContain('llm-00001 goes on serving.');
  });

  it('is not said to have missed a deadline: Knative sets the same condition for an image that it did not find', () => {
    const finding = mustFind(
      revisionFailed,
      givenUp({
        condition: { message: 'Revision "llm-00002" failed with message: Unable to fetch image "llm:2".' },
      }),
    );
    const { en, ko } = renderFinding(finding, text);

    for (const said of [...en, ...ko]) {
      expect(said).not.toMatch(/did not become ready before|has given|준비되지 않았습니다|포기/u);
    }
    expect(en.join()).toContain('Knative could not start it');
  });

  it('is reported where none was ever ready', () => {
    const finding = mustFind(
      revisionFailed,
      givenUp({ status: { latestReadyRevisionName: '' }, condition: { lastTransitionTime: null } }),
    );

    expect(finding.facts).toEqual({ revision: 'llm-00002', serving: [], failedSeconds: undefined });
    expect(keysOf(finding.reasoning)).toEqual(['given-up', 'none-serves']);
    expect(renderFinding(finding, text).ko.length).toBeGreaterThan(0);
  });

  it.each<[string, Fields]>([
    ['a pod of it is left, whose cause is reported', { revisionOfPod: 'llm-00002' }],
    ['the service is being deleted', { deleted: true }],
    ['the status is older than the spec', { status: { observedGeneration: 1 } }],
    ['the latest revision serves', { status: { latestReadyRevisionName: 'llm-00002' } }],
    ['it is still being started', { condition: { status: 'Unknown' } }],
    ['another reason is stated', { condition: { reason: 'LatestReadyDeleted' } }],
    ['another condition is false', { condition: { type: 'RoutesReady' } }],
    [
      'pods could not be read',
      { unseen: [{ what: 'Pod', namespace: 'shop', because: 'forbidden', message: '' }] },
    ],
  ])('is not reported where %s', (_, fields) => {
    expect(foundBy(revisionFailed, givenUp(fields))).toBeUndefined();
  });
});
