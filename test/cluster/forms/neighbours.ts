import type { KubernetesObject, V1PodSpec } from '@kubernetes/client-node';
import type { CauseId } from '#src/doctor/findings/cause-id.js';
import type { NodeOptions } from '../harness/node-manifest.js';
import type { DeploymentOptions } from '../incidents/deployment-manifest.js';
import { claimManifest, volumeManifest } from '../incidents/storage-manifests.js';
import { type Form, type FormExpectation, type FormGroup, type Step, waitsForTraining } from './form.js';
import {
  becomesReady,
  creates,
  gpu,
  gpuNode,
  hasQuota,
  isCrashLooping,
  isNotCreated,
  isObserved,
  isRefused,
  isStarting,
  oneGpu,
  patches,
  runs,
  updates,
} from './steps.js';

/** A resource with three units: `web` uses one, `training` the two others while it rolls out. */
interface Scarce {
  readonly resource: string;
  readonly nodes: readonly NodeOptions[];
  readonly prepare?: readonly Step[];
  readonly options: Omit<DeploymentOptions, 'namespace' | 'name'>;
  readonly neighbour: string;
  readonly refused: Step;
}

const oneEach = (requests: Readonly<Record<string, string>>, node: NodeOptions, words: string): Scarce => ({
  resource: Object.keys(requests)[0] ?? 'pods',
  nodes: [node, { name: 'other-a' }],
  options: { requests, pod: { nodeSelector: { pool: 'data' } } },
  neighbour: 'ml/training',
  refused: isRefused('web', words),
});

const pool = (allocatable: Readonly<Record<string, string>>): NodeOptions => ({
  name: 'pool-a',
  labels: { pool: 'data' },
  allocatable,
});

const cards = oneEach(oneGpu, pool({ [gpu]: '3' }), `Insufficient ${gpu}`);
const cores = oneEach({ cpu: '1300m' }, pool({ cpu: '4' }), 'Insufficient cpu');
const slots = oneEach({}, pool({ pods: '3' }), 'Too many pods');
const ports: Scarce = {
  resource: 'hostPort',
  nodes: ['n-a', 'n-b', 'n-c'].map((name) => ({ name })),
  options: { container: { ports: [{ containerPort: 80, hostPort: 8080 }] } },
  neighbour: 'ml/training',
  refused: isRefused('web', "didn't have free ports"),
};
const quota: Scarce = {
  resource: 'requests.cpu',
  nodes: [{ name: 'n-a' }],
  prepare: [hasQuota({ 'requests.cpu': '3' })],
  options: { requests: { cpu: '1' } },
  neighbour: 'training',
  refused: isNotCreated('web', 'exceeded quota: team'),
};

/** The neighbour's surge pod takes the last place before `web` begins its rollout. */
function beside(
  scarce: Scarce,
  neighbour: readonly Step[],
  form: Omit<Form, 'nodes' | 'steps' | 'expected'> & { readonly expected: FormExpectation },
): Form {
  const { nodes, prepare = [], options, neighbour: other } = scarce;
  const steps = [...prepare, runs('web', options), runs(other, options), ...neighbour];
  return { ...form, nodes, steps: [...steps, updates('web'), scarce.refused] };
}

const starts = ({ neighbour }: Scarce): readonly Step[] => [
  updates(neighbour, 'container-creating'),
  isStarting(neighbour),
];

const waitOn = (isQuota: boolean): CauseId => (isQuota ? 'quota-exceeded' : 'capacity-contention');

function moving(scarce: Scarce, id: string, what: string): Form {
  return beside(scarce, starts(scarce), {
    id: `${id}-freed-by-a-neighbour`,
    title: `${what} is taken by the surge pod of another rollout, which frees it when that pod is ready`,
    expected: { ...waitsForTraining, cause: waitOn(scarce === quota), neverFix: ['patch-strategy'] },
    ends: [becomesReady(scarce.neighbour)],
  });
}

const deadlock = (scarce: Scarce): FormExpectation => ({
  cause: scarce === quota ? 'quota-deadlock' : 'surge-deadlock',
  resource: scarce.resource,
  minConfidence: 'likely',
});

function crashing(scarce: Scarce, id: string, what: string): Form {
  return beside(scarce, [...starts(scarce), isCrashLooping(scarce.neighbour)], {
    id: `${id}-beside-a-crashing-neighbour`,
    title: `${what} is taken by the surge pod of another rollout, and that pod crashes`,
    expected: { ...deadlock(scarce), maxConfidence: 'likely', mentions: ['training'] },
  });
}

/** A paused rollout stops its old pod when its new ReplicaSet has every replica and these are available. */
function paused(scarce: Scarce, id: string, what: string): Form {
  const pause = patches('Deployment', scarce.neighbour, { spec: { paused: true } });
  return beside(scarce, [...starts(scarce), pause, isObserved(scarce.neighbour)], {
    id: `${id}-beside-a-paused-neighbour`,
    title: `${what} is taken by the only new pod of another rollout, which was paused while that pod starts`,
    expected: { ...waitsForTraining, cause: waitOn(scarce === quota) },
    ends: [becomesReady(scarce.neighbour)],
  });
}

const pausedHalfWay: Form = {
  id: 'card-beside-a-neighbour-paused-half-way',
  title: 'another rollout was paused after the first of its two new pods, which is ready',
  expected: { cause: 'surge-deadlock', resource: gpu, minConfidence: 'proven' },
  nodes: [pool({ [gpu]: '4' }), { name: 'other-a' }],
  steps: [
    runs('web', cards.options),
    runs('training', { ...cards.options, replicas: 2 }),
    updates('training', 'container-creating'),
    patches('Deployment', 'training', { spec: { paused: true } }),
    isObserved('training'),
    becomesReady('training'),
    updates('web'),
    cards.refused,
  ],
};

function finished(scarce: Scarce, id: string, what: string): Form {
  const second = patches('Deployment', scarce.neighbour, { spec: { replicas: 2 } });
  return beside(scarce, [second, isStarting(scarce.neighbour)], {
    id: `${id}-beside-a-neighbour-at-rest`,
    title: `${what} is taken by another workload of two replicas, which is not rolling out`,
    expected: deadlock(scarce),
  });
}

const resting: FormExpectation = { cause: 'surge-deadlock', resource: gpu, minConfidence: 'likely' };
const onPool: Partial<V1PodSpec> = { nodeSelector: { pool: 'data' } };

const readyNotAvailable: Form = {
  id: 'card-freed-after-min-ready-seconds',
  title: 'the surge pod of another rollout is ready and becomes available after 40 s',
  expected: waitsForTraining,
  nodes: cards.nodes,
  steps: [
    runs('web', cards.options),
    runs('ml/training', cards.options),
    patches('Deployment', 'ml/training', { spec: { minReadySeconds: 40 } }),
    isObserved('ml/training'),
    updates('ml/training', 'container-creating'),
    becomesReady('ml/training'),
    updates('web'),
    cards.refused,
  ],
  ends: [],
};

const twoReplicas: Form = {
  id: 'card-freed-after-two-replacements',
  title: 'another rollout of two replicas replaces one pod after the other and frees its card at the end',
  expected: waitsForTraining,
  nodes: [pool({ [gpu]: '4' })],
  steps: [
    runs('web', cards.options),
    runs('ml/training', { ...cards.options, replicas: 2 }),
    updates('ml/training', 'container-creating'),
    isStarting('ml/training'),
    updates('web'),
    cards.refused,
  ],
  heals: (pod) => pod.metadata?.labels?.app === 'training',
  ends: [becomesReady('ml/training'), becomesReady('ml/training', 2)],
};

const freesElsewhere: Form = {
  id: 'neighbour-frees-another-pool',
  title: 'another rollout will free a card on a node that this workload may not use',
  expected: { ...resting, nodes: ['pool-a'] },
  nodes: [pool({ [gpu]: '1' }), gpuNode(2, 'ml-a')],
  steps: [
    runs('web', cards.options),
    runs('ml/training', { requests: oneGpu, pod: { nodeSelector: { 'kubernetes.io/hostname': 'ml-a' } } }),
    updates('ml/training', 'container-creating'),
    isStarting('ml/training'),
    updates('web'),
    cards.refused,
  ],
};

const freesTooLittle: Form = {
  id: 'neighbour-frees-too-little',
  title: 'another rollout will free one card, and the new pod needs two',
  expected: { ...resting, nodes: ['pool-a'] },
  nodes: [pool({ [gpu]: '4' })],
  steps: [
    runs('web', { requests: { [gpu]: '2' }, pod: onPool }),
    runs('ml/training', cards.options),
    updates('ml/training', 'container-creating'),
    isStarting('ml/training'),
    updates('web'),
    cards.refused,
  ],
};

const wantsItsVolume: Form = {
  id: 'volume-freed-by-a-neighbour',
  title: 'the new revision needs a ReadWriteOncePod claim that the old pod of another rollout releases',
  expected: { ...waitsForTraining, neverFix: ['patch-strategy'] },
  nodes: [{ name: 'n-a' }],
  steps: [
    creates(
      (namespace) =>
        volumeManifest({ name: `pv-${namespace}`, accessMode: 'ReadWriteOncePod' }) as KubernetesObject,
    ),
    creates((namespace) =>
      claimManifest({
        namespace,
        name: 'cache',
        accessMode: 'ReadWriteOncePod',
        volumeName: `pv-${namespace}`,
      }),
    ),
    runs('web'),
    runs('training', { pod: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'cache' } }] } }),
    updates('training', 'container-creating', { volumes: null }),
    isStarting('training'),
    updates('web', undefined, {
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'cache' } }],
    }),
    isRefused('web', 'ReadWriteOncePod'),
  ],
  ends: [becomesReady('training')],
};

const neverStarts = beside(cards, starts(cards), {
  id: 'card-beside-a-neighbour-that-never-starts',
  title: 'the surge pod of another rollout has the last card and has not started for six hours',
  expected: { ...resting, maxConfidence: 'likely', mentions: ['training'] },
  diagnoseAfterSeconds: 6 * 3_600,
});

/** Class: resources of a neighbour's rollout. It frees them if it progresses, and keeps them if it cannot. */
export const neighbours: FormGroup = {
  group: 'neighbours',
  forms: [
    moving(cards, 'card', 'the last card of the pool'),
    moving(cores, 'cores', 'the last room on the pool'),
    moving(slots, 'slot', 'the last pod slot of the pool'),
    moving(ports, 'port', 'the host port on the third node'),
    moving(quota, 'quota', 'the rest of the quota'),
    wantsItsVolume,
    readyNotAvailable,
    twoReplicas,
    crashing(cards, 'card', 'the last card of the pool'),
    crashing(quota, 'quota', 'the rest of the quota'),
    paused({ ...cards, neighbour: 'training' }, 'card', 'the last card of the pool'),
    paused(quota, 'quota', 'the rest of the quota'),
    pausedHalfWay,
    finished(cards, 'card', 'the last card of the pool'),
    finished(cores, 'cores', 'the last room on the pool'),
    finished(ports, 'port', 'the host port on the third node'),
    freesElsewhere,
    freesTooLittle,
    neverStarts,
  ],
};
