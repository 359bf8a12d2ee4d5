import type { V1DeploymentStrategy, V1PodSpec } from '@kubernetes/client-node';
import type { Form, FormExpectation, FormGroup, Step } from './form.js';
import { gpu, gpuNode, isRefused, oneGpu, priorityClass, runs, updates, waits } from './steps.js';

/** A pod of another team that waits beside a rollout that is deadlocked on the only card. */
interface Rival {
  readonly id: string;
  readonly title: string;
  readonly requests?: Readonly<Record<string, string>>;
  readonly pod?: Partial<V1PodSpec>;
  readonly waits?: 'before' | 'after';
  readonly class?: { readonly value: number; readonly preemptionPolicy?: 'Never' };
  /** Whether it could get the card after the old pod has stopped. */
  readonly competes: boolean;
  readonly replicas?: number;
}

const contested: FormExpectation = {
  cause: 'surge-deadlock',
  minConfidence: 'likely',
  resource: gpu,
  firstFix: ['undo-rollout'],
  mentions: ['training'],
};
const uncontested: FormExpectation = {
  cause: 'surge-deadlock',
  minConfidence: 'proven',
  resource: gpu,
  firstFix: ['patch-strategy'],
};

function beside(rival: Rival): Form {
  const { id, title, requests = oneGpu, pod = {}, waits: order = 'before', competes, replicas = 1 } = rival;
  const prepare: readonly Step[] =
    rival.class === undefined ? [] : [priorityClass(id, rival.class.value, rival.class.preemptionPolicy)];
  const named = rival.class === undefined ? pod : { ...pod, priorityClassName: id };
  const waiting: readonly Step[] = [
    waits('ml/training', { requests, pod: named }),
    // Nobody serves another scheduler here, so its pods get no answer.
    ...(pod.schedulerName === undefined && pod.schedulingGates === undefined
      ? [isRefused('ml/training', 'nodes are available')]
      : []),
  ];
  const stuck = [updates('web'), isRefused('web', `Insufficient ${gpu}`)];
  return {
    id,
    title,
    expected: competes ? contested : uncontested,
    nodes: [gpuNode(replicas), { name: 'cpu-a' }],
    steps: [
      ...prepare,
      runs('web', { requests: oneGpu, replicas, strategy: oneByOne }),
      ...(order === 'before' ? [...waiting, ...stuck] : [...stuck, ...waiting]),
    ],
  };
}

const oneByOne: V1DeploymentStrategy = {
  type: 'RollingUpdate',
  rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
};

const port = { ports: [{ containerPort: 80, hostPort: 8080 }] };

function portRival(id: string, title: string, hostPort: number, competes: boolean): Form {
  const other = { ports: [{ containerPort: 81, hostPort }] };
  // The other workload waits for a card that no node has, or for the port.
  const requests = competes ? {} : oneGpu;
  return {
    id,
    title,
    expected: { ...(competes ? contested : uncontested), resource: 'hostPort' },
    nodes: [{ name: 'n-a' }],
    steps: [
      runs('web', { container: port }),
      waits('ml/training', { requests, container: { ...other, ...(competes ? {} : limits(requests)) } }),
      isRefused('ml/training', competes ? "didn't have free ports" : `Insufficient ${gpu}`),
      updates('web'),
      isRefused('web', "didn't have free ports"),
    ],
  };
}

const limits = (requests: Readonly<Record<string, string>>): object => ({
  resources: { requests, limits: requests },
});

/** Class: competitors for a resource that a fix frees. */
export const queue: FormGroup = {
  group: 'queue',
  forms: [
    beside({
      id: 'rival-waits-longer',
      title: 'a pod of another team has waited longer for the card',
      competes: true,
    }),
    beside({
      id: 'rival-came-later',
      title: "a pod of another team came later; its last attempt may be older than the new pod's",
      waits: 'after',
      competes: true,
    }),
    beside({
      id: 'rival-of-higher-priority',
      title: 'a pod of higher priority that may not preempt waits for the card',
      waits: 'after',
      class: { value: 1_000, preemptionPolicy: 'Never' },
      competes: true,
    }),
    beside({
      id: 'rival-of-lower-priority',
      title: 'a pod of lower priority has waited longer for the card',
      class: { value: -10 },
      competes: false,
    }),
    beside({
      id: 'rival-behind-a-gate',
      title: 'a pod of another team with a scheduling gate is older',
      pod: { schedulingGates: [{ name: 'queue.example/admission' }] },
      competes: false,
    }),
    beside({
      id: 'rival-of-another-scheduler',
      title: 'a pod that another scheduler places waits for the card',
      pod: { schedulerName: 'batch-scheduler' },
      competes: true,
    }),
    beside({
      id: 'rival-too-large',
      title: 'a pod of another team needs two cards, and the node has one',
      requests: { [gpu]: '2' },
      competes: false,
    }),
    beside({
      id: 'rival-pinned-elsewhere',
      title: 'a pod of another team waits for a card on a node that has none',
      pod: { nodeSelector: { 'kubernetes.io/hostname': 'cpu-a' } },
      competes: false,
    }),
    beside({
      id: 'rival-lacks-a-core',
      title: 'a pod of another team waits for a card and for more cores than the node has',
      requests: { ...oneGpu, cpu: '9' },
      competes: false,
    }),
    beside({
      id: 'rival-beside-three-replicas',
      title: 'three replicas have three cards, and a pod of another team has waited longer for one',
      replicas: 3,
      competes: true,
    }),
    portRival('rival-for-the-port', 'a pod of another team waits for the same host port', 8080, true),
    portRival(
      'rival-for-another-port',
      'a pod of another team waits for a card, with another host port',
      9090,
      false,
    ),
  ],
};
