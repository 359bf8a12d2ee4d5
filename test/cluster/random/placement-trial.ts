import type { V1Container, V1Node, V1Pod } from '@kubernetes/client-node';
import type { Placement } from '#src/engine/scheduler/placement.js';
import {
  agreeOnPlacement,
  answerTo,
  type EngineAnswer,
  type PlacementStep,
  placementIn,
  predictedVictims,
} from '../steps/placement-step.js';
import { deviceBackedResource, randomDeviceClaim, randomDevices } from './device-cases.js';
import type { Draw } from './draw.js';
import { randomNodes } from './node-cases.js';
import { type Resize, randomPod, randomResize } from './pod-cases.js';
import type { Decision, SchedulerUnderTest } from './scheduler-under-test.js';
import { namespaces as namespaceNames } from './vocabulary.js';
import { claimNames, randomVolumes } from './volume-cases.js';

/** Results of many questions to the scheduler and to the engine. */
export interface Score {
  /** Answers compared. */
  placements: number;
  fits: number;
  refusals: number;
  preemptions: number;
  /**
   * Equal only at the second question: at the first one the scheduler had not yet received the last object.
   */
  repeatedQuestions: number;
  /** The engine could not determine the answer. */
  unanswered: number;
  /** Pods that the API server rejected, and that were drawn again. */
  invalid: number;
  /** How many agreed messages contained each reason. */
  readonly reasons: Map<string, number>;
  readonly disagreements: Disagreement[];
}

export interface Disagreement {
  readonly case: number;
  readonly scheduler: string;
  readonly engine: string;
  readonly pod: V1Pod;
  readonly nodes: readonly V1Node[];
  readonly others: readonly V1Pod[];
  readonly objects: PlacementStep['objects'];
}

export const emptyScore = (): Score => ({
  placements: 0,
  fits: 0,
  refusals: 0,
  preemptions: 0,
  repeatedQuestions: 0,
  unanswered: 0,
  invalid: 0,
  reasons: new Map(),
  disagreements: [],
});

const pendingPods = 12;

/** One random cluster: some pods exist already, then the scheduler places others, one by one. */
export async function tryCase(
  scheduler: SchedulerUnderTest,
  namespaces: readonly unknown[],
  draw: Draw,
  number: number,
  score: Score,
  note: (step: PlacementStep) => void = () => {},
): Promise<void> {
  const nodes = randomNodes(draw, `k${number}`);
  const names = nodes.map((node) => node.metadata?.name ?? '');
  const prefix = `k${number}`;
  for (const object of [
    ...randomDevices(draw, prefix, names, scheduler.hasTaintRules),
    ...randomVolumes(draw, prefix, names),
    ...namespaceNames.map((namespace) => randomDeviceClaim(draw, namespace, sharedClaim)),
  ]) {
    await scheduler.put(object);
  }
  await scheduler.setNodes(nodes);
  const there = Array.from({ length: draw.below(12) }, (_, index) =>
    withVolumes(draw, prefix, randomPod(draw, `there-${index}`, names)),
  ).map((pod) => ({
    kind: draw.below(100),
    pod: withNode(pod, names[draw.below(names.length)]),
    resize: draw.maybe(25, () => randomResize(draw, pod)),
  }));
  await Promise.all(
    there.map(({ kind, pod, resize }, index) => {
      const isTaken = there.slice(0, index).some((earlier) => sharesPort(earlier.pod, pod));
      return createOnNode(scheduler, kind, isTaken ? withoutPorts(pod) : pod, index, resize);
    }),
  );
  for (let index = 0; index < pendingPods; index += 1) {
    const others = scheduler.pods();
    const asked = withVolumes(draw, prefix, randomPod(draw, `asked-${index}`, names));
    const wanted = await withDevices(scheduler, draw, asked);
    const objects = await scheduler.objects();
    const placement = placementIn({ namespaces, nodes, others, objects, version: scheduler.version });
    const pod = await scheduler.create(wanted);
    if (pod === undefined) {
      score.invalid += 1;
      continue;
    }
    const { decided, victims } = await comparePlacement(
      { scheduler, placement, nodes, others, objects, number, score },
      pod,
    );
    note({ id: `placement-${number}.${index}`, namespaces, nodes, others, objects, pod, decided, victims });
  }
  await scheduler.clear();
}

/** A claim that several pods of a namespace use. */
const sharedClaim = 'shared-devices';

function withVolumes(draw: Draw, prefix: string, pod: V1Pod): V1Pod {
  const used = claimNames.filter(() => draw.chance(20));
  if (used.length === 0) return pod;
  const volumes = used.map((name) => ({
    name,
    persistentVolumeClaim: { claimName: `${prefix}-${name}` },
  }));
  return { ...pod, spec: { containers: [], ...pod.spec, volumes } };
}

/** Creates the claims that the pod uses. A pod whose claim the API server rejects uses none. */
async function withDevices(scheduler: SchedulerUnderTest, draw: Draw, pod: V1Pod): Promise<V1Pod> {
  const { namespace = '', name = '' } = pod.metadata ?? {};
  const resourceClaims: { name: string; resourceClaimName: string }[] = [];
  for (const index of draw.chance(50) ? draw.some(1, 2, (each) => each) : []) {
    const own = `${name}-${index}`;
    const claim = randomDeviceClaim(draw, namespace, own);
    if (await scheduler.put(claim)) resourceClaims.push({ name: own, resourceClaimName: own });
  }
  if (draw.chance(15)) resourceClaims.push({ name: 'shared', resourceClaimName: sharedClaim });
  const containers = (pod.spec?.containers ?? []).map((container) =>
    draw.chance(8) ? withDeviceBackedResource(draw, container) : container,
  );
  return { ...pod, spec: { ...pod.spec, containers, resourceClaims } };
}

function withDeviceBackedResource(draw: Draw, container: V1Container): V1Container {
  const { requests, limits } = container.resources ?? {};
  const amount = { [deviceBackedResource]: draw.pick(['1', '2']) };
  return {
    ...container,
    resources: { requests: { ...requests, ...amount }, limits: { ...limits, ...amount } },
  };
}

/**
 * kube-scheduler lets no two pods have one host port of a node. Where they are put there past it, it frees
 * the port for both when one of them leaves (`framework/types.go: HostPortInfo` is a set), so the later one
 * has none here.
 */
function sharesPort(one: V1Pod, other: V1Pod): boolean {
  const portsOf = ({ spec }: V1Pod): readonly (number | undefined)[] =>
    spec?.containers.flatMap(({ ports = [] }) => ports.map(({ hostPort }) => hostPort)) ?? [];
  return (
    one.spec?.nodeName === other.spec?.nodeName && portsOf(one).some((port) => portsOf(other).includes(port))
  );
}

function withoutPorts(pod: V1Pod): V1Pod {
  const containers = pod.spec?.containers.map(({ ports: _none, ...rest }) => rest) ?? [];
  return { ...pod, spec: { ...pod.spec, containers } };
}

function withNode(pod: V1Pod, node: string | undefined): V1Pod {
  return { ...pod, spec: { containers: [], ...pod.spec, ...(node === undefined ? {} : { nodeName: node }) } };
}

/** Creates a pod on its node; some have ended, some are ending, some are resized. */
async function createOnNode(
  scheduler: SchedulerUnderTest,
  kind: number,
  pod: V1Pod,
  index: number,
  resize: Resize,
): Promise<void> {
  const created = await scheduler.create(pod);
  if (created === undefined) return;
  const phase = kind < 8 ? 'Succeeded' : kind < 14 ? 'Failed' : 'Running';
  await scheduler.setStatus(created, { phase, startTime: startTime(index), ...resize });
  if (kind > 90) await scheduler.remove(created, 3_600);
}

/** Different for each pod, because preemption compares how long pods run. */
const startTime = (index: number): string => new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();

interface PlacementQuestion {
  readonly scheduler: SchedulerUnderTest;
  readonly placement: Placement;
  readonly nodes: readonly V1Node[];
  readonly others: readonly V1Pod[];
  readonly objects: PlacementStep['objects'];
  readonly number: number;
  readonly score: Score;
}

async function comparePlacement(
  question: PlacementQuestion,
  asked: V1Pod,
): Promise<{ readonly decided: Decision; readonly victims: readonly string[] }> {
  const { scheduler, placement, nodes, others, objects, number, score } = question;
  const engine = answerTo(placement, asked);
  let pod = asked;
  let decided = await scheduler.decision(pod);
  if (engine.type === 'unanswered') {
    score.unanswered += 1;
  } else {
    score.placements += 1;
    if (!agreeOnPlacement(engine, decided) && !changedTheCluster(decided)) {
      await scheduler.remove(pod);
      const again = await scheduler.create({
        ...asked,
        metadata: { ...asked.metadata, ...underNewName(asked) },
        status: {},
      });
      if (again !== undefined) {
        pod = again;
        decided = await scheduler.decision(pod);
        if (agreeOnPlacement(engine, decided)) score.repeatedQuestions += 1;
      }
    }
    if (agreeOnPlacement(engine, decided)) countDecision(score, decided);
    else {
      const scheduler = decided.type === 'placed' ? `placed on ${decided.node}` : decided.message;
      score.disagreements.push({
        case: number,
        scheduler,
        engine: answerText(engine),
        pod,
        nodes,
        others,
        objects,
      });
    }
  }
  return { decided, victims: await cleanUp(question, placement, pod, decided) };
}

const answerText = (engine: EngineAnswer): string =>
  engine.type === 'refused'
    ? engine.messages.join(' | ')
    : `${engine.type} ${'nodes' in engine ? engine.nodes.join(', ') : ''}`;

/** A repeated question would have another answer then. */
const changedTheCluster = (decided: Decision): boolean =>
  decided.type === 'refused' && decided.nominated !== undefined;

/** The pod as it was sent, under another name: the API server sets its fields again. */
const underNewName = (pod: V1Pod): object => ({
  name: `${pod.metadata?.name}-again`,
  uid: undefined,
  resourceVersion: undefined,
  creationTimestamp: undefined,
});

function countDecision(score: Score, decided: Decision): void {
  if (decided.type === 'placed') {
    score.fits += 1;
    return;
  }
  score.refusals += 1;
  if (decided.nominated !== undefined) score.preemptions += 1;
  const [reasons = ''] = decided.message
    .replace(/^0\/\d+ nodes are available: /, '')
    .split(/\. (?:no new|preemption|$)/);
  for (const [, reason = ''] of reasons.matchAll(/(?:^|, )\d+ (.*?)(?=, \d+ |$)/g)) {
    score.reasons.set(reason, (score.reasons.get(reason) ?? 0) + 1);
  }
}

/**
 * A placed pod stays for the next cases; a refused one is removed, with the victims of its preemption, which
 * are returned.
 */
async function cleanUp(
  { scheduler, number, score, nodes, others, objects }: PlacementQuestion,
  placement: Placement,
  pod: V1Pod,
  decided: Decision,
): Promise<readonly string[]> {
  if (decided.type === 'placed') {
    await scheduler.setStatus(pod, { phase: 'Running', startTime: startTime(100 + score.placements) });
    return [];
  }
  const { nominated } = decided;
  const victims: string[] = [];
  if (nominated !== undefined) {
    const predicted = predictedVictims(placement, pod, nominated).map(({ metadata }) => metadata.uid);
    const leaving = (): readonly string[] =>
      scheduler
        .pods()
        .filter(({ metadata, spec }) => metadata?.deletionTimestamp && spec?.nodeName === nominated)
        .map(({ metadata }) => metadata?.uid ?? '');
    await scheduler
      .until('the victims to be deleted', () => predicted.every((uid) => leaving().includes(uid)), 5_000)
      .catch(() => {
        const engine = `victims ${predicted.join(', ')}`;
        score.disagreements.push({
          case: number,
          scheduler: `victims ${leaving().join(', ')}`,
          engine,
          pod,
          nodes,
          others,
          objects,
        });
      });
    for (const uid of leaving()) {
      const victim = scheduler.pod(uid);
      if (victim === undefined) continue;
      const wasLeaving = others.some(({ metadata }) => metadata?.uid === uid && metadata.deletionTimestamp);
      if (!wasLeaving) victims.push(victim.metadata?.name ?? '');
      await scheduler.remove(victim);
    }
  }
  await scheduler.remove(pod);
  return victims.sort();
}

/** Both answers, and every object as far as the scheduler reads it. */
export function inBrief({
  case: number,
  scheduler,
  engine,
  pod,
  nodes,
  others,
  objects,
}: Disagreement): string {
  const noise = new Set(['managedFields', 'volumeMounts', 'resourceVersion', 'capacity', 'conditions']);
  const line = (object: object): string =>
    JSON.stringify(object, (key, value: unknown) => (noise.has(key) ? undefined : value));
  return [
    `case ${number}`,
    `scheduler: ${scheduler}`,
    `engine:    ${engine}`,
    `pod: ${line(pod)}`,
    ...nodes.map((node) => `node: ${line(node)}`),
    ...others.map((other) => `there: ${line(other)}`),
    ...Object.entries(objects ?? {}).flatMap(([kind, all]) =>
      all.map((object) => `${kind}: ${line(object as object)}`),
    ),
  ].join('\n');
}
