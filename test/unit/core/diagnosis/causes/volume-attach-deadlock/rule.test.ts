import { describe, expect, it } from 'vitest';
import { schemas } from '#src/core/cluster/cluster-objects.js';
import type { Event } from '#src/core/cluster/event.js';
import type { Pod } from '#src/core/cluster/pod.js';
import { HorizontalPodAutoscaler } from '#src/core/cluster/policy.js';
import type { Snapshot, Unseen } from '#src/core/cluster/snapshot.js';
import { volumeAttachDeadlock as rule } from '#src/core/diagnosis/causes/volume-attach-deadlock/rule.js';
import { text } from '#src/core/diagnosis/causes/volume-attach-deadlock/text.js';
import { claim, node, volume } from '#support/placement-builders.js';
import {
  buildDeployment,
  buildPod,
  buildReplicaSet,
  type DeploymentFields,
  type PodFields,
} from '#support/rollout-builders.js';
import { foundBy, keysOf, mustFind, podEvent, renderFinding, snapshotOf } from '../run-rule.js';

const first = buildReplicaSet({ revision: 1, replicas: 1, available: 1 });
const second = buildReplicaSet({ revision: 2, replicas: 1 });
const withClaim = {
  containers: [{ name: 'app', image: 'web:1' }],
  volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
};

function oldPod(fields: Partial<PodFields> = {}): Pod {
  return buildPod({ name: 'old', node: 'n-a', spec: withClaim, ...fields });
}

function newPod(fields: Partial<PodFields> = {}, reason = 'ContainerCreating'): Pod {
  return buildPod({
    name: 'new',
    owner: { name: 'web-2', uid: 'web-2-uid' },
    node: 'n-b',
    phase: 'Pending',
    age: 1500,
    spec: withClaim,
    status: {
      phase: 'Pending',
      conditions: [
        { type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-11-20T09:05:00Z' },
        { type: 'PodReadyToStartContainers', status: 'False' },
        { type: 'Ready', status: 'False' },
      ],
      containerStatuses: [{ name: 'app', ready: false, restartCount: 0, state: { waiting: { reason } } }],
    },
    ...fields,
  });
}

function attachment(on: string, volumeName = 'pv', attached = true) {
  return schemas.VolumeAttachment.parse({
    metadata: { name: `csi-${volumeName}-${on}` },
    spec: { attacher: 'disk.csi', nodeName: on, source: { persistentVolumeName: volumeName } },
    status: { attached },
  });
}

const disk = (accessModes = ['ReadWriteOnce']) =>
  volume('pv', { accessModes, csi: { driver: 'disk.csi' }, claimRef: { namespace: 'shop', name: 'data' } });

interface Fields {
  readonly old?: readonly Pod[];
  readonly waiting?: Pod;
  readonly attachments?: readonly ReturnType<typeof attachment>[];
  readonly modes?: string[];
  readonly volumes?: readonly ReturnType<typeof volume>[];
  readonly events?: readonly Event[];
  readonly others?: readonly Pod[];
  readonly claims?: readonly ReturnType<typeof claim>[];
  readonly nodes?: readonly ReturnType<typeof node>[];
  readonly deployment?: DeploymentFields;
  readonly unseen?: readonly Unseen[];
  readonly autoscalers?: readonly HorizontalPodAutoscaler[];
}

/** `shop/web`: the old pod has the disk on n-a, the new pod was sent to n-b 25 minutes ago. */
function stuck(fields: Fields = {}): Snapshot {
  const modes = fields.modes ?? ['ReadWriteOnce'];
  return snapshotOf(
    buildDeployment(fields.deployment),
    {
      ReplicaSet: [first, second],
      Pod: [...(fields.old ?? [oldPod()]), fields.waiting ?? newPod(), ...(fields.others ?? [])],
      Node: fields.nodes ?? [node('n-a'), node('n-b')],
      PersistentVolumeClaim: fields.claims ?? [claim('data', { volumeName: 'pv', accessModes: modes })],
      PersistentVolume: fields.volumes ?? [disk(modes)],
      VolumeAttachment: fields.attachments ?? [attachment('n-a')],
      Event: fields.events ?? [],
      HorizontalPodAutoscaler: fields.autoscalers ?? [],
    },
    { unseen: fields.unseen ?? [] },
  );
}

const multiAttach = podEvent(
  'new',
  'FailedAttachVolume',
  'Multi-Attach error for volume "pv" Volume is already used by pod(s) old',
  'attachdetach-controller',
);

describe('a volume that the old pod keeps on its node', () => {
  it('is proven from the objects when the event has expired', () => {
    const finding = mustFind(rule, stuck());

    expect(finding).toMatchObject({
      confidence: 'proven',
      severity: 'critical',
      nodes: ['n-a'],
      holders: [{ kind: 'Pod', namespace: 'shop', name: 'old' }],
      weakenedBy: [],
    });
    expect(keysOf(finding.reasoning)).toEqual([
      'waits',
      'held',
      'one-node',
      'strategy-forbids',
      'counterfactual',
      'event-gone',
      'served',
    ]);
    expect(finding.evidence.map(({ object }) => object.kind)).toContain('VolumeAttachment');
  });

  it('is reported with the event while it exists', () => {
    const finding = mustFind(rule, stuck({ events: [multiAttach] }));

    expect(keysOf(finding.reasoning)).not.toContain('event-gone');
    expect(finding.evidence.map(({ value }) => value)).toContain(multiAttach.message);
  });

  it.each([
    [600, 'likely', ['pods-may-leave']],
    [undefined, 'proven', []],
  ] as const)('whose old pod tolerates a taint for %s seconds is %s', (seconds, confidence, doubts) => {
    const taint = { key: 'drain', value: '', effect: 'NoExecute', timeAdded: '2026-11-20T09:29:00Z' };
    const tolerations = [{ key: 'drain', operator: 'Exists', tolerationSeconds: seconds }];
    const finding = mustFind(
      rule,
      stuck({
        nodes: [node('n-a', { taints: [taint] }), node('n-b')],
        old: [oldPod({ spec: { ...withClaim, tolerations } })],
      }),
    );

    expect(finding.confidence).toBe(confidence);
    expect(finding.weakenedBy.map(({ key }) => key)).toEqual(doubts);
    renderFinding(finding, text);
  });

  it.each([
    [0, 'likely', ['autoscaler-may-shrink']],
    [1, 'proven', []],
  ] as const)('beside an autoscaler with a minimum of %i is %s', (minReplicas, confidence, doubts) => {
    const autoscaler = HorizontalPodAutoscaler.parse({
      metadata: { name: 'web', namespace: 'shop' },
      spec: { minReplicas, maxReplicas: 4, scaleTargetRef: { kind: 'Deployment', name: 'web' } },
    });
    const finding = mustFind(rule, stuck({ autoscalers: [autoscaler] }));

    expect(finding.confidence).toBe(confidence);
    expect(keysOf(finding.weakenedBy)).toEqual(doubts);
  });

  it('is freed by stopping the old pod first, with the predicted end', () => {
    const [patch] = mustFind(rule, stuck()).remediations;

    expect(patch).toMatchObject({
      kind: 'patch-strategy',
      strategy: { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 1 },
      prediction: { ends: 'complete', victims: [{ name: 'old' }] },
      price: { downtime: { kind: 'gap' } },
    });
  });

  it('is reported within the first minute, since waiting cannot help', () => {
    expect(mustFind(rule, stuck({ waiting: newPod({ age: 20 }) })).confidence).toBe('proven');
  });

  it('is described in both languages with every name', () => {
    const { en, ko } = renderFinding(mustFind(rule, stuck()), text);

    expect(en.join('\n')).toContain(
      'pv is attached to n-a, where old uses it: the old pod of the same workload.',
    );
    expect(ko).toHaveLength(en.length);
  });

  it('is proven with a claim whose PersistentVolume was not recorded', () => {
    expect(mustFind(rule, stuck({ volumes: [] })).confidence).toBe('proven');
  });

  it('is reported when the old pod crashes: its node keeps the volume', () => {
    const crashing = oldPod({
      ready: false,
      restarts: 9,
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] },
    });

    expect(mustFind(rule, stuck({ old: [crashing] })).holders).toMatchObject([{ name: 'old' }]);
  });

  it('is reported when the attachment to the new node failed', () => {
    const attachments = [attachment('n-a'), attachment('n-b', 'pv', false)];

    expect(foundBy(rule, stuck({ attachments }))).toBeDefined();
  });
});

describe('missing evidence about a volume lowers the confidence', () => {
  it('where the event makes it likely without any VolumeAttachment', () => {
    const finding = mustFind(rule, stuck({ attachments: [], events: [multiAttach] }));

    expect(finding.confidence).toBe('likely');
    expect(keysOf(finding.weakenedBy)).toEqual(['attachment-unseen']);
  });

  it("where the kubelet's own event about the volume replaces the missing event", () => {
    const message =
      'Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[]: context deadline exceeded';
    const events = [podEvent('new', 'FailedMount', message)];

    expect(mustFind(rule, stuck({ attachments: [], events })).confidence).toBe('likely');
  });

  it('where it is not reported without attachment and event', () => {
    expect(foundBy(rule, stuck({ attachments: [] }))).toBeUndefined();
  });

  it('where only the event names volume and pod while claims are forbidden', () => {
    const unseen: Unseen[] = [
      { what: 'PersistentVolumeClaim', namespace: 'shop', because: 'forbidden', message: 'no' },
    ];
    const snapshot = stuck({ claims: [], volumes: [], attachments: [], events: [multiAttach], unseen });
    const finding = mustFind(rule, snapshot);

    expect(finding).toMatchObject({ confidence: 'likely', nodes: ['n-a'], holders: [{ name: 'old' }] });
    renderFinding(finding, text);
  });

  it('where unread pods may use the volume too', () => {
    const unseen: Unseen[] = [{ what: 'Pod', namespace: '', because: 'too-many', message: '9 nodes' }];

    expect(mustFind(rule, stuck({ unseen })).confidence).toBe('likely');
  });
});

describe('a volume that other pods use on that node too', () => {
  const debug = buildPod({
    name: 'debug',
    owner: { kind: 'Job', name: 'debug', uid: 'job-uid' },
    node: 'n-a',
    spec: withClaim,
  });

  it('is reported with those pods, and fixes that would not free it are withheld', () => {
    const finding = mustFind(rule, stuck({ others: [debug] }));

    expect(finding.confidence).toBe('likely');
    expect(finding.remediations.map(({ kind }) => kind)).toEqual(['undo-rollout']);
    expect(finding.withheld.map(({ kind }) => kind)).toContain('patch-strategy');
    expect(renderFinding(finding, text).en.join('\n')).toContain('shop/debug');
  });
});

describe('no volume deadlock is reported', () => {
  const cases: readonly (readonly [string, Fields])[] = [
    ['when several nodes may have the volume', { modes: ['ReadWriteMany'] }],
    ['when several nodes may attach it for reading', { modes: ['ReadOnlyMany'] }],
    ['when one of its modes allows several nodes', { modes: ['ReadWriteOnce', 'ReadWriteMany'] }],
    ['when both pods are on the same node', { waiting: newPod({ node: 'n-a' }) }],
    ['when the volume is attached to the new node already', { attachments: [attachment('n-b')] }],
    ['when the old pod is leaving', { old: [oldPod({ terminating: true })] }],
    ['when the old pod has ended', { old: [oldPod({ phase: 'Failed' })] }],
    ['when the attachment is of another volume', { attachments: [attachment('n-a', 'other')] }],
    [
      'when the old pod does not use the claim',
      { old: [oldPod({ spec: { containers: [{ name: 'app', image: 'web:1' }] } })] },
    ],
    ['when the pod waits for its image', { waiting: newPod({}, 'ImagePullBackOff') }],
    [
      'when its volumes are mounted and the sandbox is made',
      {
        waiting: newPod({
          status: {
            phase: 'Pending',
            conditions: [{ type: 'PodReadyToStartContainers', status: 'True' }],
            containerStatuses: [
              { name: 'app', restartCount: 0, state: { waiting: { reason: 'ContainerCreating' } } },
            ],
          },
        }),
      },
    ],
    ['when the volume is of no CSI driver', { volumes: [volume('pv', { nfs: { server: 'nas' } })] }],
    ['while the rollout is paused', { deployment: { paused: true } }],
    ['when the controller may stop the old pod', { deployment: { maxUnavailable: 1 } }],
    ['under Recreate', { deployment: { recreate: true } }],
    [
      'when the node of the old pod is down, which is another matter',
      {
        nodes: [
          schemas.Node.parse({
            metadata: { name: 'n-a' },
            status: { conditions: [{ type: 'Ready', status: 'Unknown' }] },
          }),
          node('n-b'),
        ],
      },
    ],
    ['when the claim is not bound', { claims: [claim('data')] }],
  ];

  it.each(cases)('%s', (_, fields) => {
    expect(foundBy(rule, stuck(fields))).toBeUndefined();
  });
});
