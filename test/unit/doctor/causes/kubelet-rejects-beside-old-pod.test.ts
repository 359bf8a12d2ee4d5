import { describe, expect, it } from 'vitest';
import { kubeletRejected } from '#src/doctor/causes/kubelet-rejected/rule.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { node } from '../../../support/placement-builders.js';
import { buildSnapshot } from '../../../support/remediation-builders.js';
import { ago, buildDeployment, buildPod, buildReplicaSet } from '../../../support/rollout-builders.js';
import { mustFind, told } from './run-rule.js';

const withPort = {
  containers: [{ name: 'app', image: 'web:1', ports: [{ containerPort: 53, hostPort: 53 }] }],
};
const refusal = "Pod was rejected: Predicate NodePorts failed: node(s) didn't have free ports";

const podOf = (revision: number, fields: Partial<Parameters<typeof buildPod>[0]> = {}): Pod =>
  buildPod({
    name: `web-${revision}-a`,
    owner: { name: `web-${revision}`, uid: `web-${revision}-uid` },
    labels: { 'pod-template-hash': `web-${revision}` },
    spec: withPort,
    ...fields,
  });

const rejected = podOf(2, {
  phase: 'Failed',
  age: 300,
  ready: false,
  status: { phase: 'Failed', reason: 'NodePorts', message: refusal, startTime: ago(300) },
});

/** The kubelet found nothing that it may evict for a critical pod (`pkg/kubelet/preemption`). */
const notPreempted =
  'Pod was rejected: Unexpected error while attempting to recover from admission failure: preemption: error finding a set of pods to preempt: no set of running pods found to reclaim resources: [(res: cpu, q: 1000), ]';
const withoutDevice =
  'Pod was rejected: Allocate failed due to no healthy devices present; cannot allocate unhealthy devices nvidia.com/gpu, which is unexpected';

const refusedFor = (message: string): Pod => ({
  ...rejected,
  status: { ...rejected.status, reason: 'UnexpectedAdmissionError', message },
});

/** One replica of `shop/web`, whose template names the node `n-a`. */
function toldBeside(others: readonly Pod[], refused: Pod = rejected) {
  const deployment = buildDeployment({});
  const template = {
    ...deployment.spec.template,
    spec: { ...deployment.spec.template.spec, nodeName: 'n-a' },
  };
  const snapshot = buildSnapshot(
    { ...deployment, spec: { ...deployment.spec, template } },
    {
      ReplicaSet: [
        buildReplicaSet({ revision: 1, replicas: 1 }),
        buildReplicaSet({ revision: 2, replicas: 1 }),
      ],
      Pod: [refused, ...others],
      Node: [node('n-a')],
    },
  );
  return told(mustFind(kubeletRejected, snapshot));
}

describe('a pod that the kubelet rejects for what is in use on its node', () => {
  it('waits for its own old pod, which the controller keeps until a new one is ready', () => {
    const finding = toldBeside([podOf(1)]);

    expect(finding.reasoning).toContain('old-pods-hold');
    expect(finding.fixes).toContain('patch-strategy');
  });

  it.each<[string, readonly Pod[]]>([
    [
      'a pod of another workload has it',
      [buildPod({ name: 'dns-0', owner: { uid: 'dns' }, spec: withPort })],
    ],
    ['the old pod is not ready', [podOf(1, { ready: false })]],
    ['another pod of the same revision has it', [podOf(2, { name: 'web-2-b' })]],
    ['no pod has it', []],
  ])('waits for no old pod where %s', (_, others) => {
    const finding = toldBeside(others);

    expect(finding.reasoning).not.toContain('old-pods-hold');
    expect(finding.fixes).not.toContain('patch-strategy');
  });
});

describe('a pod whose resources the kubelet cannot align', () => {
  const refused = (cpu: string): Pod => {
    const resources = { requests: { cpu }, limits: { cpu } };
    const { spec, ...rest } = podOf(2, {
      spec: { containers: [{ name: 'app', image: 'web:1', resources }] },
    });
    return {
      ...rest,
      spec,
      status: {
        ...rejected.status,
        reason: 'TopologyAffinityError',
        message: 'Pod was rejected: Resources cannot be allocated with Topology locality',
      },
    };
  };
  const former = podOf(1, {
    spec: {
      containers: [
        { name: 'app', image: 'web:1', resources: { requests: { cpu: '1' }, limits: { cpu: '1' } } },
      ],
    },
  });

  it('is answered with the NUMA nodes, and a roll back where the former revision asked for something else', () => {
    const finding = toldBeside([former], refused('2'));

    expect(finding.reasoning).toContain('not-aligned');
    expect(finding.advice).toEqual(['advice-aligned-title']);
    expect(finding.fixes).toContain('undo-rollout');
  });

  it('is answered without a roll back where the former revision asked for the same', () => {
    const finding = toldBeside([former], refused('1'));

    expect(finding.reasoning).toContain('not-aligned');
    expect(finding.fixes).not.toContain('undo-rollout');
  });

  it('is another matter where the kubelet counts no NUMA nodes', () => {
    const finding = toldBeside([], refusedFor(withoutDevice));

    expect(finding.reasoning).not.toContain('not-aligned');
    expect(finding.advice).not.toContain('advice-aligned-title');
  });
});

describe('a pod that the kubelet rejects with an unexpected error', () => {
  it('is about a device where the message names one', () => {
    const { reasoning } = toldBeside([], refusedFor(withoutDevice));

    expect(reasoning).toContain('device-fault');
    expect(reasoning).not.toContain('not-preempted');
  });

  it('is about no device where the kubelet has no cores left to hand out', () => {
    const { reasoning } = toldBeside(
      [],
      refusedFor(
        'Pod was rejected: Allocate failed due to not enough cpus available to satisfy request: requested=4, available=2, which is unexpected',
      ),
    );

    expect(reasoning).not.toContain('device-fault');
    expect(reasoning).not.toContain('not-preempted');
  });

  it('is about no device where the kubelet finds no pod to evict', () => {
    const { reasoning } = toldBeside([], refusedFor(notPreempted));

    expect(reasoning).toContain('not-preempted');
    expect(reasoning).not.toContain('device-fault');
  });
});
