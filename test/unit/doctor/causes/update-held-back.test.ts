import { describe, expect } from 'vitest';
import { updateHeldBack } from '#src/doctor/causes/update-held-back/rule.js';
import { KnativeService } from '#src/engine/objects/knative-service.js';
import { RayService } from '#src/engine/objects/ray-service.js';
import { buildArgoRollout } from '../../../support/argo-rollout-builders.js';
import { buildPod } from '../../../support/rollout-builders.js';
import { buildStateOf, type SetFields } from '../../../support/stateful-set-builders.js';
import { expectFindings, snapshotOf } from './run-rule.js';

/** Revisions of the pods of a StatefulSet by ordinal; all are ready. */
interface Story extends SetFields {
  readonly revisions?: readonly number[];
}

const owner = { kind: 'StatefulSet', name: 'db', uid: 'db-uid' };

const ofSet = ({ revisions = [1, 1, 2], ...fields }: Story) => {
  const updatedReplicas = revisions.filter((revision) => revision === 2).length;
  const { statefulSet, pods, controllerRevisions } = buildStateOf(
    { ...fields, status: { replicas: 3, readyReplicas: 3, updatedReplicas, ...fields.status } },
    revisions.map((revision) => [revision, { owner }] as const),
  );
  return snapshotOf(statefulSet, { Pod: pods, ControllerRevision: controllerRevisions });
};

describe('a StatefulSet', () => {
  expectFindings<Story>(updateHeldBack, ofSet, [
    [
      'with a partition keeps some pods at the earlier revision',
      { partition: 2 },
      {
        severity: 'info',
        isAnswer: true,
        confidence: 'proven',
        facts: { heldBack: { by: 'partition', partition: 2, pods: 3, oldPods: ['db-0', 'db-1'] } },
        reasoning: ['partition', 'others-updated'],
        advice: ['lower-title'],
        firstSnippet: `kubectl -n shop patch statefulset db --type=merge -p '{"spec":{"updateStrategy":{"rollingUpdate":{"partition":0}}}}'\n`,
      },
    ],
    [
      'with a partition above its ordinals keeps all, and one pod is updated at first',
      { partition: 5, revisions: [1, 1, 1] },
      {
        reasoning: ['partition'],
        advice: ['try-title'],
        firstSnippet: `kubectl -n shop patch statefulset db --type=merge -p '{"spec":{"updateStrategy":{"rollingUpdate":{"partition":2}}}}'\n`,
      },
    ],
    ['that the controller still updates down to the partition is under way', { partition: 1 }],
    ['with a pod that is not ready is under way', { partition: 2, status: { readyReplicas: 2 } }],
    ['of which all pods are updated has nothing to wait for', { partition: 2, revisions: [2, 2, 2] }],
    ['without a partition is under way', {}],
    [
      'whose spec the controller has not seen is under way',
      { partition: 2, status: { observedGeneration: 1 } },
    ],
    ['that is being deleted takes no change', { partition: 2, deleted: true }],
    [
      'with OnDelete waits for the deletion of its pods, the highest ordinal first',
      { onDelete: true },
      {
        facts: { heldBack: { by: 'on-delete', pods: 3, oldPods: ['db-0', 'db-1'] } },
        reasoning: ['on-delete'],
        advice: ['delete-title'],
        firstSnippet: 'kubectl -n shop delete pod db-1\n',
      },
    ],
    [
      'with OnDelete whose pods were all replaced has nothing to wait for',
      { onDelete: true, revisions: [2, 2, 2] },
    ],
  ]);
});

interface Ray {
  readonly upgrade?: string;
  readonly image?: string;
  readonly workers?: number;
  readonly autoscaled?: boolean;
  readonly pending?: string;
  readonly clusterStatus?: object | null;
}

const ofRay = ({ upgrade, image = 'ray:1', workers = 1, autoscaled = false, pending = '', ...more }: Ray) => {
  const { clusterStatus = { state: 'ready', desiredWorkerReplicas: 1 } } = more;
  const template = (name: string) => ({ spec: { containers: [{ name, image }] } });
  const service = RayService.parse({
    metadata: { namespace: 'shop', name: 'llm', generation: 2 },
    spec: {
      upgradeStrategy: { type: upgrade },
      rayClusterConfig: {
        enableInTreeAutoscaling: autoscaled,
        headGroupSpec: { template: template('ray-head') },
        workerGroupSpecs: [{ groupName: 'gpu', replicas: workers, template: template('ray-worker') }],
      },
    },
    status: {
      observedGeneration: 2,
      activeServiceStatus: { rayClusterName: 'llm-aaaaa', rayClusterStatus: clusterStatus },
      pendingServiceStatus: { rayClusterName: pending },
    },
  });
  const pods = ['ray-head', 'ray-worker'].map((container) =>
    buildPod({
      name: `llm-aaaaa-${container}`,
      owner: { apiVersion: 'ray.io/v1', kind: 'RayCluster', name: 'llm-aaaaa', uid: 'aaaaa' },
      labels: { 'ray.io/cluster': 'llm-aaaaa', 'ray.io/group': container },
      spec: { containers: [{ name: container, image: 'ray:1' }] },
    }),
  );
  return snapshotOf(service, { Pod: pods });
};

describe('a RayService', () => {
  expectFindings<Ray>(updateHeldBack, ofRay, [
    [
      'does not apply a changed number of workers alone',
      { workers: 2 },
      {
        facts: { heldBack: { by: 'worker-numbers', wanted: 2, present: 1 } },
        summary: 'former-workers',
        reasoning: ['numbers'],
        advice: ['other-change-title'],
      },
    ],
    [
      'has no worker by its status where KubeRay leaves the number out',
      { clusterStatus: { state: 'ready' } },
      { facts: { heldBack: { by: 'worker-numbers', wanted: 1, present: 0 } } },
    ],
    ['has the workers that its spec asks for', {}],
    ['leaves the numbers to its autoscaler', { workers: 2, autoscaled: true }],
    ['prepares a RayCluster with the new number', { workers: 2, pending: 'llm-bbbbb' }],
    ['of which no status of the RayCluster is known', { workers: 2, clusterStatus: null }],
    ['whose RayCluster is not ready', { workers: 2, clusterStatus: { desiredWorkerReplicas: 1 } }],
    [
      'makes no new RayCluster for another image where upgrades are off',
      { upgrade: 'None', image: 'ray:2' },
      {
        facts: {
          heldBack: { by: 'upgrade-type', oldPods: ['llm-aaaaa-ray-head', 'llm-aaaaa-ray-worker'] },
        },
        quotes: ['None', 'ray:1', 'ray:1'],
        advice: ['second-title'],
      },
    ],
    ['with upgrades off runs what its spec has', { upgrade: 'None' }],
    ['with another image and upgrades on is about to make one', { upgrade: 'NewCluster', image: 'ray:2' }],
  ]);
});

interface Knative {
  readonly traffic: readonly object[];
  readonly created?: string;
}

const ofKnative = ({ traffic, created = 'web-00002' }: Knative) =>
  snapshotOf(
    KnativeService.parse({
      metadata: { namespace: 'shop', name: 'web', generation: 2 },
      spec: { template: { spec: { containers: [{ name: 'app', image: 'web:2' }] } }, traffic },
      status: {
        observedGeneration: 2,
        latestCreatedRevisionName: created,
        latestReadyRevisionName: 'web-00002',
        traffic,
      },
    }),
    {},
  );

const pinned = { revisionName: 'web-00001', latestRevision: false, percent: 100 };

describe('a Knative Service', () => {
  expectFindings<Knative>(updateHeldBack, ofKnative, [
    [
      'whose traffic names another revision does not serve the latest one',
      { traffic: [pinned, { revisionName: 'web-00002', tag: 'next' }] },
      {
        facts: { heldBack: { by: 'traffic', latest: 'web-00002', revisions: ['web-00001'] } },
        summary: 'no-traffic',
        advice: ['follow-title'],
      },
    ],
    ['without targets serves the latest one', { traffic: [] }],
    [
      'that gives the latest one a part of the traffic serves it',
      {
        traffic: [
          { ...pinned, percent: 90 },
          { latestRevision: true, percent: 10 },
        ],
      },
    ],
    ['that names the latest one serves it', { traffic: [{ ...pinned, revisionName: 'web-00002' }] }],
    ['whose newest revision is not ready is under way', { traffic: [pinned], created: 'web-00003' }],
  ]);
});

interface Specified {
  readonly invalid?: string;
  readonly status?: object;
}

const ofRollout = ({ invalid, status = {} }: Specified) => {
  const message =
    'The Rollout "web" is invalid: spec.strategy.canary.steps[1].analysis.templates[0].templateName: Invalid value: "success-rate": AnalysisTemplate \'success-rate\' not found';
  const conditions =
    invalid === undefined ? [] : [{ type: 'InvalidSpec', status: invalid, reason: 'InvalidSpec', message }];
  return snapshotOf(buildArgoRollout({ status: { conditions, currentPodHash: 'stable', ...status } }), {});
};

describe('a Rollout', () => {
  expectFindings<Specified>(updateHeldBack, ofRollout, [
    [
      'whose spec the controller rejects is a problem, with what it reports',
      { invalid: 'True' },
      {
        severity: 'warning',
        summary: 'invalid-spec',
        reasoning: ['invalid-said'],
        facts: { heldBack: { by: 'invalid-spec', message: expect.stringContaining('success-rate') } },
        advice: ['correct-title'],
      },
    ],
    ['whose spec is valid again has nothing to wait for', { invalid: 'False' }],
    ['without such a condition has nothing to wait for', {}],
    [
      'whose new spec the controller has not seen is under way',
      { invalid: 'True', status: { observedGeneration: '1' } },
    ],
  ]);
});
