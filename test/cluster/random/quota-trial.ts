import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject, V1Container, V1Pod } from '@kubernetes/client-node';
import { type ApiCall, statusOf } from '#src/edges/kubernetes/api-call.js';
import { textAfter } from '#src/engine/language/text-scanning.js';
import type { Cluster } from '../harness/cluster.js';
import { collectionPath, type Kind } from '../harness/resources.js';
import type { QuotaStep } from '../steps/quota-step.js';
import type { Draw } from './draw.js';
import { podTerm } from './pod-terms.js';
import { cpuAmounts, memoryAmounts, priorityClasses, runtimeClasses } from './vocabulary.js';

const podsOfCase = 14;
/** The API server's quota admission reads quotas from a watch. */
const quietMilliseconds = 400;

const hardAmounts: Readonly<Record<string, readonly [string, ...string[]]>> = {
  cpu: ['1', '2500m', '4'],
  'requests.cpu': ['1', '2500m', '4'],
  memory: ['1Gi', '3e9', '2048Mi'],
  'requests.memory': ['1Gi', '3e9'],
  'limits.cpu': ['2', '4500m'],
  'limits.memory': ['2Gi', '4G'],
  'requests.ephemeral-storage': ['1Gi'],
  'limits.ephemeral-storage': ['2Gi'],
  'requests.nvidia.com/gpu': ['0', '2'],
  'requests.hugepages-2Mi': ['8Mi'],
  pods: ['1', '3', '20'],
  'count/pods': ['2', '4', '20'],
};

/** The API takes a scope only beside resources that it can count. */
const scopes: readonly [object, ...object[]] = [
  {},
  {},
  {},
  { scopes: ['Terminating'] },
  { scopes: ['NotTerminating'] },
  { scopes: ['BestEffort'], only: ['pods', 'count/pods'] },
  { scopes: ['NotBestEffort'] },
  { scopes: ['NotBestEffort', 'NotTerminating'] },
  ...(['In', 'NotIn', 'Exists', 'DoesNotExist'] as const).map((operator) => ({
    scopeSelector: {
      matchExpressions: [
        {
          scopeName: 'PriorityClass',
          operator,
          ...(operator.endsWith('In') ? { values: ['low', 'high'] } : {}),
        },
      ],
    },
  })),
  { scopes: ['CrossNamespacePodAffinity'] },
];

function randomQuota(draw: Draw, namespace: string, name: string): KubernetesObject {
  const { only, ...scope } = draw.pick(scopes) as { readonly only?: readonly string[] };
  const names = Object.keys(hardAmounts).filter((each) => only?.includes(each) ?? draw.chance(25));
  const chosen = names.length === 0 ? ['pods'] : names;
  const hard = Object.fromEntries(chosen.map((each) => [each, draw.pick(hardAmounts[each] ?? ['1'])]));
  return {
    ...{ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name, namespace } },
    ...{ spec: { hard, ...scope } },
  };
}

function container(draw: Draw, name: string): V1Container {
  const gpu = draw.maybe(20, () => ({ 'nvidia.com/gpu': draw.pick(['0', '1']) }));
  const requests = {
    ...draw.maybe(70, () => ({ cpu: draw.pick(cpuAmounts) })),
    ...draw.maybe(70, () => ({ memory: draw.pick(memoryAmounts) })),
    ...draw.maybe(15, () => ({ 'ephemeral-storage': '100Mi' })),
    ...draw.maybe(8, () => ({ 'hugepages-2Mi': '2Mi' })),
    ...gpu,
  };
  const pages = 'hugepages-2Mi' in requests ? { 'hugepages-2Mi': '2Mi' } : {};
  const limits = {
    ...draw.maybe(55, () => ({ cpu: '3' })),
    ...draw.maybe(55, () => ({ memory: '2Gi' })),
    ...draw.maybe(10, () => ({ 'ephemeral-storage': '1Gi' })),
    ...gpu,
    ...pages,
  };
  return { name, image: 'registry.example/random:1', resources: { requests, limits } };
}

function randomPod(draw: Draw, name: string): V1Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      schedulerName: 'the-trial',
      containers: draw.some(1, 2, (index) =>
        draw.chance(15) ? { name: `c${index}`, image: 'app' } : container(draw, `c${index}`),
      ),
      ...draw.maybe(20, () => ({
        initContainers: draw.some(1, 2, (index) => ({
          ...container(draw, `i${index}`),
          ...draw.maybe(40, () => ({ restartPolicy: 'Always' })),
        })),
      })),
      ...draw.maybe(30, () => ({ activeDeadlineSeconds: 3_600 })),
      ...draw.maybe(50, () => ({ priorityClassName: draw.pick(priorityClasses) })),
      ...draw.maybe(15, () => ({ runtimeClassName: draw.pick(runtimeClasses) })),
      ...draw.maybe(10, () => ({
        resources: {
          requests: { cpu: '4', memory: '3Gi' },
          ...draw.maybe(50, () => ({ limits: { cpu: '6' } })),
        },
      })),
      ...draw.maybe(30, () => ({
        affinity: {
          [draw.pick(['podAffinity', 'podAntiAffinity'])]: {
            requiredDuringSchedulingIgnoredDuringExecution: draw.some(1, 2, () => podTerm(draw)),
          },
        },
      })),
    },
  };
}

/** The pods and quotas of one namespace. */
interface Counted {
  readonly quotas: readonly KubernetesObject[];
  readonly pods: readonly V1Pod[];
}

/** One namespace with quotas: pods are sent, end and go, and each answer of the API server is noted. */
export async function tryQuotas(
  cluster: Cluster,
  call: ApiCall,
  draw: Draw,
  number: number,
  note: (step: QuotaStep) => void,
): Promise<void> {
  const namespace = await cluster.createNamespace(`quota-${number}`);
  for (const name of draw.pick([['team'], ['team'], ['other', 'team']])) {
    // The API server refuses a scope beside a resource that the scope cannot select.
    await call({
      method: 'POST',
      path: collectionPath('ResourceQuota', namespace),
      body: randomQuota(draw, namespace, name),
    });
  }
  let base: Counted = await untilCounted(call, namespace);
  let added: V1Pod[] = [];
  let removed: V1Pod[] = [];
  for (let index = 0; index < podsOfCase; index += 1) {
    if (draw.chance(60)) {
      base = await untilCounted(call, namespace);
      added = [];
      removed = [];
    }
    const left = base.pods.filter((pod) => !removed.includes(pod));
    const leaving = left[draw.below(left.length)];
    if (leaving !== undefined && draw.chance(30)) {
      const isRemoved = await endOne(call, draw, leaving);
      await untilCounted(call, namespace);
      if (isRemoved && leaving.status?.phase === 'Pending' && !leaving.metadata?.deletionTimestamp)
        removed.push(leaving);
      else {
        base = await untilCounted(call, namespace);
        added = [];
        removed = [];
      }
    }
    const sent = randomPod(draw, `pod-${index}`);
    const shown = await call({
      ...{ method: 'POST', path: collectionPath('Pod', 'a'), query: { dryRun: 'All' } },
      body: sent,
    });
    if (shown.status >= 300) continue;
    const pod = shown.body as V1Pod;
    const from = Date.now();
    const answer = await call({ method: 'POST', path: collectionPath('Pod', namespace), body: sent });
    const refusal =
      answer.status === 403 ? textAfter(statusOf(answer.body).message, ' is forbidden: ') : undefined;
    if (answer.status >= 300 && refusal === undefined) throw new Error(statusOf(answer.body).message);
    note({
      ...{ id: `${namespace}.${index}`, from, ...base, added: [...added], removed: [...removed] },
      pod: { ...pod, metadata: { ...pod.metadata, namespace } },
      ...(refusal === undefined ? {} : { refusal }),
    });
    if (refusal === undefined) added.push(answer.body as V1Pod);
  }
  const force = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 };
  await call({ method: 'DELETE', path: collectionPath('Pod', namespace), body: force });
}

/** Until the quota controller has counted, and nothing of it has changed for a moment. */
async function untilCounted(call: ApiCall, namespace: string): Promise<Counted> {
  const list = async <One>(kind: Kind): Promise<readonly One[]> =>
    ((await call({ path: collectionPath(kind, namespace) })).body as { readonly items: readonly One[] })
      .items;
  for (let before = ''; ; ) {
    const quotas = await list<KubernetesObject & { status?: { hard?: object } }>('ResourceQuota');
    const text = JSON.stringify(quotas);
    if (text === before && quotas.every(({ status }) => status?.hard !== undefined)) {
      return { quotas, pods: await list<V1Pod>('Pod') };
    }
    before = text;
    await delay(quietMilliseconds);
  }
}

/** The pod ends, starts to leave, or is removed at once; true where it is removed. */
async function endOne(call: ApiCall, draw: Draw, { metadata }: V1Pod): Promise<boolean> {
  const path = `${collectionPath('Pod', metadata?.namespace)}/${metadata?.name}`;
  const kind = draw.below(100);
  if (kind < 35) {
    await call({
      ...{ method: 'PATCH', path: `${path}/status`, contentType: 'application/strategic-merge-patch+json' },
      body: { status: { phase: draw.pick(['Succeeded', 'Failed']) } },
    });
    return false;
  }
  const gracePeriodSeconds = kind < 55 ? 3_600 : 0;
  const body = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds };
  await call({ method: 'DELETE', path, body });
  return gracePeriodSeconds === 0;
}
