import { compareText, greatestOf, groupBy, leastOf } from '../../engine/collections/collections.js';
import { hasNode, isReady, isTerminal, isTerminating, type Pod } from '../../engine/objects/pod.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import { isUnread } from '../../engine/objects/unread.js';
import { revisionNumber } from '../../engine/workloads/deployment-writes.js';
import { revisionOfPod } from '../findings/crashes/classify-pod.js';
import { currentRevision, podFailuresIn, podsOf } from '../findings/crashes/failure-group.js';
import { incarnationsOf } from '../findings/crashes/incarnations-of.js';
import type { PodCause, PodFailure } from '../findings/crashes/pod-failure.js';
import type { Diagnosis } from '../findings/diagnosis.js';
import type { Finding } from '../findings/finding.js';
import { mainFindingOf } from '../findings/main-finding.js';
import type { FailingKind, NodeStrip, Picture, PodState, StripGroup, StripRow } from '../findings/picture.js';
import { maxRows } from '../findings/picture.js';
import { workloadName } from '../findings/stuck-rollout.js';
import type { WaitCycle } from '../findings/wait-cycle.js';
import { countedTogether, isTroubled, podsIn, presentIn, type SeenPod, troubledIn } from './seen-pods.js';

/**
 * The picture of a diagnosis: the wait cycle of its main finding, otherwise its pods by node.
 *
 * @returns `undefined` where there are no pods, or not all were read
 */
export function pictureOf(
  snapshot: Snapshot,
  { findings }: Pick<Diagnosis, 'findings'>,
): Picture | undefined {
  const { main } = mainFindingOf({ findings });
  return (main && waitCycleOf(main)) ?? nodeStrip(snapshot, main?.shows === 'pods-by-node-and-revision');
}

/** `undefined` where the finding names no cycle, or calls it merely possible. */
export function waitCycleOf({ confidence, subject, waitCycle }: Finding): WaitCycle | undefined {
  if (waitCycle === undefined || confidence === 'possible') return undefined;
  const workload = `${subject.namespace}/${subject.name}`;
  return { v: 1, kind: 'wait-cycle', workload, confidence, steps: [...waitCycle] };
}

/**
 * Whether the picture explains more than words: a wait cycle, or failing pods on some nodes. The strip of
 * other findings and of a healthy workload only replaces an earlier picture.
 */
export function isWorthShowing(diagnosis: Pick<Diagnosis, 'findings' | 'picture'>): boolean {
  const { picture } = diagnosis;
  const { main } = mainFindingOf(diagnosis);
  if (picture === undefined || main === undefined) return false;
  if (picture.kind === 'wait-cycle') return true;
  return main.shows !== undefined && picture.groups.some(hasTrouble);
}

type Group = Extract<Picture, { readonly kind: 'node-strip' }>['groups'][number];

function hasTrouble({ rows, folded }: Group): boolean {
  return [folded.pods, ...rows.map(({ pods }) => pods)].some(
    (pods) => troubledIn(pods) > 0 || (pods['not-ready'] ?? 0) > 0,
  );
}

/**
 * The workload's pods by node as the snapshot shows them, each exactly once.
 *
 * @param byRevision whether to separate the pods of the new revision from those of previous ones
 * @returns `undefined` without pods, and where not all of them were read
 */
export function nodeStrip(snapshot: Snapshot, byRevision: boolean): NodeStrip | undefined {
  if (isUnread(snapshot, 'Pod')) return undefined;
  const pods = podsOf(snapshot);
  if (pods.length === 0) return undefined;
  const seen = seenPods(snapshot, pods);
  const groups = byRevision ? groupsOf(snapshot, seen) : [groupOf(seen)];
  const failing = failingOf(seen);
  return {
    v: 1,
    kind: 'node-strip',
    workload: workloadName(snapshot),
    nodes: nodesOf(seen),
    groups,
    ...(failing === undefined ? {} : { failing }),
  };
}

function failingOf(seen: readonly SeenPod[]): FailingKind | undefined {
  const kinds = new Set(seen.filter(({ state }) => state === 'failing').map(({ failing }) => failing));
  const [only] = kinds;
  return kinds.size === 1 ? only : undefined;
}

function nodesOf(seen: readonly SeenPod[]): NodeStrip['nodes'] {
  const placed = seen.filter(({ node }) => node !== '');
  const troubled = placed.filter(({ state }) => isTroubled(state));
  const distinct = (pods: readonly SeenPod[]): number => new Set(pods.map(({ node }) => node)).size;
  return { all: distinct(placed), troubled: distinct(troubled) };
}

function seenPods(snapshot: Snapshot, pods: readonly Pod[]): readonly SeenPod[] {
  const crashed = new Set(
    incarnationsOf(snapshot, pods)
      .filter((incarnation) => incarnation.crashed)
      .map(({ uid }) => uid),
  );
  return pods.map((pod): SeenPod => {
    const podFailures = podFailuresIn(snapshot, pod);
    const exits = new Set(podFailures.flatMap(({ run }) => run?.exitCode ?? []));
    const [exitCode] = exits;
    const state = podStateOf(pod, podFailures, crashed.has(pod.metadata.uid));
    return {
      node: (pod.spec.nodeName ?? '').slice(0, longestName),
      revision: revisionOfPod(pod),
      state,
      failing: state === 'failing' ? failingKindOf(podFailures) : undefined,
      restarts: Math.max(
        0,
        ...[...pod.status.initContainerStatuses, ...pod.status.containerStatuses].map(
          ({ restartCount }) => restartCount,
        ),
      ),
      exitCode: exits.size === 1 ? exitCode : undefined,
    };
  });
}

/** As long as a name may be in the API. */
const longestName = 253;

function groupsOf(snapshot: Snapshot, seen: readonly SeenPod[]): StripGroup[] {
  const current = currentRevision(snapshot);
  const fresh = seen.filter(({ revision }) => revision === current);
  const former = seen.filter(({ revision }) => revision !== current);
  const names = [...new Set(former.map(({ revision }) => nameOf(snapshot, revision)))];
  return [
    ...(fresh.length === 0
      ? []
      : [{ ...groupOf(fresh), revision: { age: 'new' as const, name: nameOf(snapshot, current) } }]),
    ...(former.length === 0
      ? []
      : [
          {
            ...groupOf(former),
            revision: { age: 'former' as const, name: names.length === 1 ? (names[0] ?? '') : '' },
          },
        ]),
  ];
}

/** The number that a Deployment counts, else the revision's own name. */
function nameOf({ index, workload }: Snapshot, hash: string): string {
  const replicaSet = index.replicaSetsByOwner
    .get(workload.metadata.uid)
    ?.find((each) => revisionOfPod(each) === hash);
  const number = replicaSet && revisionNumber(replicaSet);
  return number ? String(number) : hash.slice(0, longestName);
}

function groupOf(seen: readonly SeenPod[]): StripGroup {
  const rows = [...groupBy(seen, ({ node }) => node)]
    .map(([node, pods]) => rowOf(node, pods))
    .sort(troubledFirst);
  const beyond = rows.slice(maxRows);
  return {
    rows: rows.slice(0, maxRows),
    folded: { nodes: beyond.length, pods: countedTogether(beyond.map(({ pods }) => pods)) },
  };
}

function rowOf(node: string, seen: readonly SeenPod[]): StripRow {
  const troubled = seen.filter(({ state }) => isTroubled(state));
  const restarts = troubled.map((pod) => pod.restarts);
  const exits = new Set(troubled.map(({ exitCode }) => exitCode));
  const [exitCode] = exits;
  return {
    node,
    pods: countedTogether(seen.map(({ state }) => ({ [state]: 1 }))),
    ...(restarts.every((count) => count === 0)
      ? {}
      : { restarts: { least: leastOf(restarts), most: greatestOf(restarts) } }),
    ...(exits.size === 1 && exitCode !== undefined ? { exitCode } : {}),
  };
}

/**
 * Nodes with the most failing pods first, then the most unready or waiting ones; nodes without living pods
 * last.
 */
function troubledFirst(a: StripRow, b: StripRow): number {
  return (
    troubledIn(b.pods) - troubledIn(a.pods) ||
    podsIn(b.pods, ['not-ready']) - podsIn(a.pods, ['not-ready']) ||
    podsIn(b.pods, ['waiting']) - podsIn(a.pods, ['waiting']) ||
    Number(presentIn(b.pods) > 0) - Number(presentIn(a.pods) > 0) ||
    byNodeName.compare(a.node, b.node) ||
    compareText(a.node, b.node)
  );
}

/** `n-2` before `n-10`. */
const byNodeName = new Intl.Collator('en', { numeric: true });

/**
 * @param podFailures the failures of the pod
 * @param crashed whether the statistics count the pod as crashed or evicted in the last day
 */
function podStateOf(pod: Pod, podFailures: readonly PodFailure[], crashed: boolean): PodState {
  if (isTerminating(pod)) return 'gone';
  // The kubelet rejects a pod before any run: no statistics of crashes count it.
  const isRejected = podFailures.some(({ cause, ongoing }) => ongoing && cause === 'kubelet-rejected');
  if (isTerminal(pod)) return crashed || isRejected ? 'failing' : 'gone';
  if (!hasNode(pod)) return 'waiting';
  const ongoing = podFailures.filter((podFailure) => podFailure.ongoing).map(({ cause }) => courses[cause]);
  for (const state of ['crashing', 'restarting', 'failing', 'not-ready'] as const) {
    if (ongoing.includes(state)) return state;
  }
  if (crashed) return 'crashed';
  return isReady(pod) ? 'ready' : 'not-ready';
}

/** The state of a pod with a node, by cause. */
const courses = {
  'application-crash': 'crashing',
  'out-of-memory': 'crashing',
  'node-out-of-memory': 'crashing',
  'bad-command': 'crashing',
  'process-exits-zero': 'restarting',
  'liveness-probe-kill': 'restarting',
  'startup-probe-kill': 'restarting',
  'config-missing': 'failing',
  'image-pull-failure': 'failing',
  'mount-failure': 'failing',
  'sandbox-failure': 'failing',
  'pod-start-stalled': 'failing',
  evicted: 'failing',
  'kubelet-rejected': 'failing',
  preempted: 'failing',
  // Its runs end without an exit code, and it starts again.
  'node-not-ready': 'crashing',
  'init-container-stuck': 'not-ready',
  'readiness-failing': 'not-ready',
} as const satisfies Readonly<Record<PodCause, PodState>>;

function failingKindOf(podFailures: readonly PodFailure[]): FailingKind | undefined {
  const kinds = new Set(podFailures.map(({ cause }) => failingKinds.get(cause)));
  const [only] = kinds;
  return kinds.size === 1 ? only : undefined;
}

const failingKinds: ReadonlyMap<PodCause, FailingKind> = new Map([
  ['config-missing', 'not-started'],
  ['image-pull-failure', 'not-started'],
  ['mount-failure', 'not-started'],
  ['sandbox-failure', 'not-started'],
  ['pod-start-stalled', 'not-started'],
  ['evicted', 'evicted'],
  ['kubelet-rejected', 'rejected'],
]);

/** The diagnosis with its picture. One that cannot be drawn takes nothing from what was found. */
export function withPicture(diagnosis: Diagnosis, snapshot: Snapshot): Diagnosis {
  try {
    const picture = pictureOf(snapshot, diagnosis);
    return picture === undefined ? diagnosis : { ...diagnosis, picture };
  } catch {
    return diagnosis;
  }
}
