import type { V1Node, V1Pod } from '@kubernetes/client-node';
import { indexObjects } from '#src/core/cluster/cluster-index.js';
import { clusterObjects } from '#src/core/cluster/cluster-objects.js';
import { Node } from '#src/core/cluster/node.js';
import { Pod } from '#src/core/cluster/pod.js';
import { Namespace } from '#src/core/cluster/policy.js';
import { createPlacement, type Placement } from '#src/core/placement/placement.js';
import type { Draw } from './draw.js';
import { randomNodes } from './node-cases.js';
import { randomPod } from './pod-cases.js';
import type { Decision, SchedulerCourt } from './scheduler-court.js';

/** What came of many questions put to both. */
export interface Score {
  /** Answers compared. */
  placements: number;
  fits: number;
  refusals: number;
  preemptions: number;
  /** Equal only when the scheduler was asked again: it had not yet seen the last object when it was asked first. */
  secondLooks: number;
  /** The engine reports that it cannot decide. */
  unanswered: number;
  /** Pods that the API server did not take, and that were drawn again. */
  invalid: number;
  /** How often each reason stood in an agreed message. */
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
}

export const emptyScore = (): Score => ({
  placements: 0,
  fits: 0,
  refusals: 0,
  preemptions: 0,
  secondLooks: 0,
  unanswered: 0,
  invalid: 0,
  reasons: new Map(),
  disagreements: [],
});

const pendingPods = 12;

/** One random cluster: some pods are there already, then the scheduler is asked about others, one by one. */
export async function tryCase(
  court: SchedulerCourt,
  namespaces: readonly unknown[],
  draw: Draw,
  number: number,
  score: Score,
): Promise<void> {
  const nodes = randomNodes(draw, `k${number}`);
  const names = nodes.map((node) => node.metadata?.name ?? '');
  await court.seat(nodes);
  await Promise.all(
    Array.from({ length: draw.below(12) }, (_, index) => randomPod(draw, `there-${index}`, names)).map(
      (pod, index) => settle(court, draw.below(100), withNode(pod, names[draw.below(names.length)]), index),
    ),
  );
  for (let index = 0; index < pendingPods; index += 1) {
    const others = court.pods();
    const placement = placementIn(namespaces, nodes, others);
    const pod = await court.create(randomPod(draw, `asked-${index}`, names));
    if (pod === undefined) {
      score.invalid += 1;
      continue;
    }
    await judge({ court, placement, nodes, others, number, score }, pod);
  }
  await court.clear();
}

function withNode(pod: V1Pod, node: string | undefined): V1Pod {
  return { ...pod, spec: { containers: [], ...pod.spec, ...(node === undefined ? {} : { nodeName: node }) } };
}

/** Creates a pod on its node; some have ended, some are ending. */
async function settle(court: SchedulerCourt, kind: number, pod: V1Pod, index: number): Promise<void> {
  const created = await court.create(pod);
  if (created === undefined) return;
  const phase = kind < 8 ? 'Succeeded' : kind < 14 ? 'Failed' : 'Running';
  await court.setStatus(created, { phase, startTime: startTime(index) });
  if (kind > 90) await court.remove(created, 3_600);
}

/** Different for each pod, as preemption asks which one runs longer. */
const startTime = (index: number): string => new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString();

function placementIn(
  namespaces: readonly unknown[],
  nodes: readonly V1Node[],
  pods: readonly V1Pod[],
): Placement {
  return createPlacement(
    indexObjects(
      clusterObjects({
        Namespace: namespaces.map((one) => Namespace.parse(one)),
        Node: nodes.map((node) => Node.parse(node)),
        Pod: pods.map((pod) => Pod.parse(pod)),
      }),
    ),
  );
}

interface Hearing {
  readonly court: SchedulerCourt;
  readonly placement: Placement;
  readonly nodes: readonly V1Node[];
  readonly others: readonly V1Pod[];
  readonly number: number;
  readonly score: Score;
}

async function judge(hearing: Hearing, asked: V1Pod): Promise<void> {
  const { court, placement, nodes, others, number, score } = hearing;
  const engine = answerOf(placement, asked);
  let pod = asked;
  let decided = await court.decision(pod);
  if (engine.type === 'unanswered') {
    score.unanswered += 1;
  } else {
    score.placements += 1;
    if (!agree(engine, decided) && !changedTheCluster(decided)) {
      await court.remove(pod);
      const again = await court.create({
        ...asked,
        metadata: { ...asked.metadata, ...anew(asked) },
        status: {},
      });
      if (again !== undefined) {
        pod = again;
        decided = await court.decision(pod);
        if (agree(engine, decided)) score.secondLooks += 1;
      }
    }
    if (agree(engine, decided)) tally(score, decided);
    else {
      const scheduler = decided.type === 'placed' ? `placed on ${decided.node}` : decided.message;
      score.disagreements.push({ case: number, scheduler, engine: answerText(engine), pod, nodes, others });
    }
  }
  await tidy(hearing, placement, pod, decided);
}

type EngineAnswer =
  | { readonly type: 'fits'; readonly nodes: readonly string[] }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'unanswered' };

function answerOf(placement: Placement, raw: V1Pod): EngineAnswer {
  const evaluation = placement.evaluate(Pod.parse(raw));
  if (evaluation.outcome === 'fits') return { type: 'fits', nodes: evaluation.feasible };
  const message = evaluation.message();
  return message === undefined ? { type: 'unanswered' } : { type: 'refused', message };
}

function agree(engine: EngineAnswer, decided: Decision): boolean {
  if (engine.type === 'fits') return decided.type === 'placed' && engine.nodes.includes(decided.node);
  return engine.type === 'refused' && decided.type === 'refused' && engine.message === decided.message;
}

const answerText = (engine: EngineAnswer): string =>
  engine.type === 'refused'
    ? engine.message
    : `${engine.type} ${'nodes' in engine ? engine.nodes.join(', ') : ''}`;

/** Asking again would be another question then. */
const changedTheCluster = (decided: Decision): boolean =>
  decided.type === 'refused' && decided.nominated !== undefined;

/** The pod as it was sent, under another name: what the API server set is set again. */
const anew = (pod: V1Pod): object => ({
  name: `${pod.metadata?.name}-again`,
  uid: undefined,
  resourceVersion: undefined,
  creationTimestamp: undefined,
});

function tally(score: Score, decided: Decision): void {
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

/** A placed pod stays as one more to reckon with; a refused one goes, with the victims of its preemption. */
async function tidy(
  { court, number, score, nodes, others }: Hearing,
  placement: Placement,
  pod: V1Pod,
  decided: Decision,
): Promise<void> {
  if (decided.type === 'placed') {
    await court.setStatus(pod, { phase: 'Running', startTime: startTime(100 + score.placements) });
    return;
  }
  const { nominated } = decided;
  if (nominated !== undefined) {
    const predicted = predictedVictims(placement, pod, nominated);
    const leaving = (): readonly string[] =>
      court
        .pods()
        .filter(({ metadata, spec }) => metadata?.deletionTimestamp && spec?.nodeName === nominated)
        .map(({ metadata }) => metadata?.uid ?? '');
    await court
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
        });
      });
    for (const uid of leaving()) {
      const victim = court.pod(uid);
      if (victim !== undefined) await court.remove(victim);
    }
  }
  await court.remove(pod);
}

function predictedVictims(placement: Placement, raw: V1Pod, node: string): readonly string[] {
  const preemption = placement.preemption(Pod.parse(raw));
  if (preemption.outcome !== 'possible') return [`none: ${preemption.outcome}`];
  const candidate = preemption.candidates.find((one) => one.node === node);
  return candidate?.victims.map(({ metadata }) => metadata.uid) ?? [`none on ${node}`];
}

/** Both answers, and every object as far as the scheduler reads it. */
export function inBrief({ case: number, scheduler, engine, pod, nodes, others }: Disagreement): string {
  const noise = new Set([
    'managedFields',
    'volumes',
    'volumeMounts',
    'resourceVersion',
    'capacity',
    'conditions',
  ]);
  const line = (object: object): string =>
    JSON.stringify(object, (key, value: unknown) => (noise.has(key) ? undefined : value));
  return [
    `case ${number}`,
    `scheduler: ${scheduler}`,
    `engine:    ${engine}`,
    `pod: ${line(pod)}`,
    ...nodes.map((node) => `node: ${line(node)}`),
    ...others.map((other) => `there: ${line(other)}`),
  ].join('\n');
}
