import type { KubernetesObject, V1Pod, V1ReplicaSet } from '@kubernetes/client-node';
import { type ApiRequest, statusOf } from '#src/edges/kubernetes/api-call.js';
import { collectionPath } from '../harness/resources.js';
import { outcomeOf, type RolloutStep } from '../steps/rollout-step.js';
import type { Draw } from './draw.js';
import { bindPod, podChange } from './pod-changes.js';
import {
  barrier,
  clear,
  type Stage,
  sent,
  untilCaughtUp,
  untilMirrored,
  viewOf,
  waitedFor,
} from './rollout-stage.js';
import { agree, type Done, type Predicted, type RolloutView, type Subject } from './rollout-subject.js';

/** Results of many changes, each applied to the real controllers and to the engine. */
export interface RolloutScore {
  /** Changes after which both were compared. */
  steps: number;
  /** Those of them after which pods or sizes changed. */
  acted: number;
  created: number;
  /** Pods that the controllers chose to delete, all of them as predicted. */
  deleted: number;
  /** Steps in which no rule distinguishes the candidates and the engine had named all of them. */
  undecided: number;
  readonly disagreements: string[];
}

/** Receives each step after which both were compared, also where they disagree. */
type NoteStep = (step: RolloutStep) => void;

export const emptyRolloutScore = (): RolloutScore => ({
  steps: 0,
  acted: 0,
  created: 0,
  deleted: 0,
  undecided: 0,
  disagreements: [],
});

const stepsPerCase = 14;
/** The controller of Argo Rollouts tries again after growing pauses when another client wrote first. */
const settleMilliseconds = 45_000;

/** One workload in a namespace of its own: change after change, each compared once nothing changes. */
export async function tryRollout(
  stage: Stage,
  subject: Subject,
  draw: Draw,
  number: number,
  score: RolloutScore,
  note: NoteStep = () => {},
): Promise<void> {
  const namespace = await stage.cluster.createNamespace(`${subject.kind.toLowerCase()}-${number}`);
  const manifest = subject.manifest(draw, namespace);
  for (const object of subject.prerequisites?.(namespace) ?? []) await stage.cluster.objects.create(object);
  const path = collectionPath(subject.kind, namespace);
  const workload = (await sent(stage, { method: 'POST', path, body: manifest })) as KubernetesObject;
  let base: RolloutView = {
    workload,
    replicaSets: [],
    controllerRevisions: [],
    pods: [],
    services: (subject.prerequisites?.(namespace) ?? []).filter(({ kind }) => kind === 'Service'),
    nodes: stage.mirror.all('Node'),
  };
  let change: ApiRequest = { method: 'POST', path };
  for (let step = 0; step < stepsPerCase; step += 1) {
    const id = `${namespace}.${step}`;
    const agreed = await compare(stage, subject, base, change, score, (seen) => note({ id, ...seen }));
    if (!agreed) break;
    await bindSome(stage, subject, draw, namespace);
    const view = viewOf(stage, namespace, subject);
    change = draw.chance(45)
      ? subject.change(draw, view)
      : (podChange(draw, subject, view.pods) ?? subject.change(draw, view));
    const answer = await stage.call(change);
    // A controller has already deleted the object, so there is nothing to compare.
    if (answer.status === 404) break;
    if (answer.status >= 300) throw new Error(`${change.path}: ${statusOf(answer.body).message}`);
    base = after(view, change, answer.body);
    await untilMirrored(stage, subject, change, answer.body as KubernetesObject);
  }
  await clear(stage, subject, namespace);
}

/** True when controllers and engine agree. */
async function compare(
  stage: Stage,
  subject: Subject,
  base: RolloutView,
  change: ApiRequest,
  score: RolloutScore,
  note: (step: Omit<RolloutStep, 'id'>) => void,
): Promise<boolean> {
  const namespace = base.workload.metadata?.namespace ?? '';
  const now = (): RolloutView => viewOf(stage, namespace, subject);
  const asked = Date.now();
  // The controller stores the revision that it then acts on, so the engine is given what was stored.
  const known = (): RolloutView => ({ ...base, controllerRevisions: revisionsOf(base, now()) });
  const isSettled = (): boolean => {
    const view = now();
    return isObserved(view) && agree(subject.predict(known(), asked), subject.seen(base, view));
  };
  const expiry = Date.now() + settleMilliseconds;
  let isSame = false;
  // Before they rest, the controllers may pass through a state that resembles the last one.
  while (!isSame && Date.now() < expiry) {
    await waitedFor(stage.mirror, isSettled, expiry - Date.now());
    await barrier(stage, subject, now());
    // A status that says what was done may arrive before the pods and revisions that the controller wrote
    // first.
    await untilCaughtUp(stage, subject, namespace);
    isSame = isSettled();
  }
  const seen = subject.seen(base, now());
  const step = { kind: subject.kind, from: asked, until: Date.now(), before: known(), done: seen };
  isSame ||= outcomeOf(subject, { id: namespace, ...step }) === seen;
  note(step);
  const predicted = subject.predict(known(), asked);
  score.steps += 1;
  if (isSame) {
    const sized = JSON.stringify(seen.sizes) !== JSON.stringify(subject.seen(base, base).sizes);
    if (sized || seen.created.length + seen.deleted.length > 0) score.acted += 1;
    score.created += seen.created.length;
    score.deleted += seen.deleted.length;
    if (predicted.orElse.length > 0 && seen.deleted.length > 0) score.undecided += 1;
  } else {
    score.disagreements.push(inBrief(subject, base, change, predicted, seen));
  }
  return isSame;
}

/** Those that are stored now, and those that the controller had when it acted and has removed since. */
function revisionsOf(before: RolloutView, after: RolloutView): RolloutView['controllerRevisions'] {
  const stored = new Set(after.controllerRevisions.map(({ metadata }) => metadata?.uid));
  const removed = before.controllerRevisions.filter(({ metadata }) => !stored.has(metadata?.uid));
  return [...after.controllerRevisions, ...removed];
}

/** Every controller has seen the latest change of its objects, and counted its pods. */
function isObserved({ workload, replicaSets, statefulSets = [], pods }: RolloutView): boolean {
  const counted = replicaSets.every((set) => {
    const { status } = set as V1ReplicaSet;
    const active = pods.filter(
      ({ metadata, status }) =>
        metadata?.ownerReferences?.[0]?.uid === set.metadata?.uid &&
        !metadata?.deletionTimestamp &&
        status?.phase !== 'Failed',
    );
    return (status?.replicas ?? 0) === active.length;
  });
  if (!counted) return false;
  return [workload, ...replicaSets, ...statefulSets].every((object) => {
    const status =
      'status' in object ? (object.status as { observedGeneration?: number | string }) : undefined;
    // A text in the status of a Rollout.
    return Number(status?.observedGeneration ?? 0) >= (object.metadata?.generation ?? 0);
  });
}

/** The view right after the change, before any controller has seen it. */
function after(view: RolloutView, change: ApiRequest, answer: unknown): RolloutView {
  const object = answer as V1Pod;
  const isPod = change.path.includes('/pods/');
  if (!isPod) return { ...view, workload: object };
  const uid = object.metadata?.uid;
  const isHeld = (object.metadata?.finalizers ?? []).length > 0;
  const isGone =
    change.method === 'DELETE' && !isHeld && (change.body !== undefined || !object.spec?.nodeName);
  const others = view.pods.filter(({ metadata }) => metadata?.uid !== uid);
  return { ...view, pods: isGone ? others : [...others, object] };
}

async function bindSome(stage: Stage, subject: Subject, draw: Draw, namespace: string): Promise<void> {
  const view = viewOf(stage, namespace, subject);
  const nodes = view.nodes.map(({ metadata }) => metadata?.name ?? '');
  for (const pod of view.pods) {
    if (pod.spec?.nodeName || pod.metadata?.deletionTimestamp || !draw.chance(70)) continue;
    const request = bindPod(draw, pod, nodes);
    const answer = await stage.call(request);
    if (answer.status >= 300) continue;
    const uid = pod.metadata?.uid ?? '';
    await stage.mirror.until(
      'the binding',
      () => stage.mirror.get<V1Pod>('Pod', uid)?.spec?.nodeName !== undefined,
    );
  }
}

function inBrief(
  subject: Subject,
  base: RolloutView,
  change: ApiRequest,
  predicted: Predicted,
  seen: Done,
): string {
  const noise = new Set([
    'managedFields',
    'volumes',
    'volumeMounts',
    'resourceVersion',
    'ownerReferences',
    'tolerations',
  ]);
  const line = (value: unknown): string =>
    JSON.stringify(value, (key, field: unknown) => (noise.has(key) ? undefined : field));
  return [
    `${subject.kind} after ${change.method} ${change.path} ${line(change.body ?? {})}`,
    `controllers: ${line(seen)}`,
    `engine:      ${line(predicted)}`,
    `workload: ${line(base.workload)}`,
    ...base.replicaSets.map((one) => `ReplicaSet: ${line(one)}`),
    ...base.pods.map(
      ({ metadata, spec, status }) =>
        `Pod: ${line({ metadata, nodeName: spec?.nodeName, affinity: spec?.affinity, image: spec?.containers[0]?.image, status })}`,
    ),
  ].join('\n');
}
