import { isReady, type Pod } from '../../../engine/objects/pod.js';
import { endedLogOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { containersOf } from '../../findings/crashes/container-view.js';
import { podFailuresIn } from '../../findings/crashes/failure-group.js';
import { lastLinesOf } from '../../findings/crashes/last-lines.js';
import type { PodFailure } from '../../findings/crashes/pod-failure.js';
import { mountedOf, mountOfPath } from '../../findings/endings/ending-case.js';
import { endingOf, pathIn } from '../../log-lines/ending-kinds.js';
import { lockWordOf, namesObject } from '../../log-lines/lock-words.js';
import type { ReadLine } from './read-lines.js';

/** What an old pod has and a new pod that keeps failing needs, beside a Lease. */
export type OwnHold =
  /** A lock of data in a volume that both pods mount. */
  | { readonly by: 'claim'; readonly claim: string; readonly path: string }
  | { readonly by: 'host-path'; readonly path: string; readonly node: string }
  /** Memory of a device that is handed out to several pods. */
  | { readonly by: 'device-memory'; readonly resource: string; readonly node: string }
  /** A port of the node, whose network both pods use. */
  | { readonly by: 'port'; readonly node: string }
  /** A lock that is no Lease: an object that the old pod owns, or only the name of the old pod in the log. */
  | { readonly by: 'lock'; readonly configMap: string | undefined };

export interface HeldByOwn {
  readonly hold: OwnHold;
  readonly container: string;
  readonly line: ReadLine;
  readonly holders: readonly [Pod, ...Pod[]];
}

/** Ways in which a program ends that cannot get what it needs. Its probes may end it while it waits. */
const endings: ReadonlySet<string> = new Set([
  'application-crash',
  'process-exits-zero',
  'liveness-probe-kill',
  'startup-probe-kill',
]);

/** A program that failed once may succeed the next time. */
const minRestarts = 2;

/**
 * What the new pod says that another process has, where only an old pod of the same workload can have it:
 * both mount the claim, share the device, or use the same network, or the lock names the old pod. `undefined`
 * for any other failure.
 */
export function heldByOwn(snapshot: Snapshot, holding: readonly Pod[], waiting: Pod): HeldByOwn | undefined {
  const failure = podFailuresIn(snapshot, waiting).find(
    ({ cause, ongoing, container }) =>
      ongoing && endings.has(cause) && (container?.status?.restartCount ?? 0) >= minRestarts,
  );
  if (failure?.container === undefined) return undefined;
  const serving = holding.filter((pod) => isReady(pod) && podFailuresIn(snapshot, pod).length === 0);
  const container = failure.container.name;
  const decides = lastLinesOf(snapshot, { podFailures: [failure], container })?.decides;
  const found = decides === undefined ? undefined : exclusiveHold(snapshot, serving, failure, decides);
  if (found !== undefined && decides !== undefined) {
    return { ...found, container, line: lineOf(container, decides) };
  }
  const lock = leaderLock(snapshot, serving, waiting, container);
  return lock === undefined ? undefined : { ...lock, container };
}

/**
 * What a running pod waits for in a volume that it shares with an old pod: its last line about it says that
 * another process has it, or that the pod stands by for the one that has it.
 */
export function waitedFor(
  snapshot: Snapshot,
  serving: readonly Pod[],
  pod: Pod,
  container: string,
): (Found & Pick<HeldByOwn, 'line'>) | undefined {
  const view = containersOf(pod).find(({ name }) => name === container);
  const lines = endedLogOf(snapshot.logs, pod, container)?.lines ?? [];
  const isFree = lines.some((each) => lockWordOf(each) === 'got');
  const line =
    lines.findLast((each) => endingOf(each) === 'held-elsewhere') ??
    (isFree ? undefined : lines.findLast((each) => lockWordOf(each) === 'blocked' && standsBy.test(each)));
  const found =
    view === undefined || line === undefined
      ? undefined
      : sharedVolume(snapshot, serving, { pod, container: view }, line);
  return found === undefined || line === undefined ? undefined : { ...found, line: lineOf(container, line) };
}

/** The state of the program itself, and no setting about other instances such as `num.standby.replicas`. */
const standsBy =
  /\b(?:in|into|enter(?:s|ed|ing)?|as(?: an?)?|is(?: an?| now)?|became|mode|role|state|status)[ :="']{1,4}stand-?by\b(?![^.]{0,12}\b(?:false|disabled|off|0)\b)|\bstanding by\b/iu;

function lineOf(container: string, line: string): ReadLine {
  return { container, line, word: 'blocked', from: 'log', event: undefined };
}

type Found = Pick<HeldByOwn, 'hold' | 'holders'>;

function exclusiveHold(
  snapshot: Snapshot,
  serving: readonly Pod[],
  failure: PodFailure,
  line: string,
): Found | undefined {
  switch (endingOf(line)) {
    case 'held-elsewhere':
      return sharedVolume(snapshot, serving, failure, line);
    case 'device-memory':
      return sharedDevice(snapshot, serving, failure);
    case 'address-in-use':
      return sharedPort(serving, failure);
    default:
      return undefined;
  }
}

/** Exactly one old pod serves with the volume: a lock that several hold at a time is none. */
function sharedVolume(
  { index }: Snapshot,
  serving: readonly Pod[],
  { pod, container }: Pick<PodFailure, 'pod' | 'container'>,
  line: string,
): Found | undefined {
  if (container === undefined) return undefined;
  const path = pathIn(line);
  const mounted = mountedOf(pod, container);
  const named = path === undefined ? undefined : mountOfPath(mounted, path);
  // A path that no volume holds is in the container's own file system, which no other pod sees.
  const inQuestion = path === undefined ? mounted : named === undefined ? [] : [named];
  for (const { volume, claim, mountPath } of inQuestion) {
    const hostPath = pod.spec.volumes.find(({ name }) => name === volume)?.hostPath?.path;
    const sharing = serving.filter((old) =>
      claim !== undefined
        ? old.spec.volumes.some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === claim)
        : hostPath !== undefined &&
          old.spec.nodeName === pod.spec.nodeName &&
          old.spec.volumes.some((each) => each.hostPath?.path === hostPath),
    );
    const [holder, ...others] = sharing;
    if (holder === undefined || others.length > 0) continue;
    if (claim === undefined) {
      return {
        hold: { by: 'host-path', path: hostPath ?? mountPath, node: pod.spec.nodeName ?? '' },
        holders: [holder],
      };
    }
    const isUsedByOthers = index.objects.Pod.some(
      (each) =>
        each.metadata.namespace === pod.metadata.namespace &&
        ![pod.metadata.uid, holder.metadata.uid].includes(each.metadata.uid) &&
        isReady(each) &&
        each.spec.volumes.some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === claim),
    );
    if (isUsedByOthers) continue;
    return { hold: { by: 'claim', claim, path: mountPath }, holders: [holder] };
  }
  return undefined;
}

/**
 * Old pods on the same node that may use the same device: both name one ResourceClaim, or the node hands one
 * device out to several pods. Where neither pod asks for a device, only the labels of the node say so.
 */
function sharedDevice({ index }: Snapshot, serving: readonly Pod[], { pod }: PodFailure): Found | undefined {
  const name = pod.spec.nodeName ?? '';
  const node = index.nodes.get(name);
  const [resource] = devicesOf(pod);
  const labels = node?.metadata.labels ?? {};
  const [first, ...others] = serving.filter((old) => {
    if (old.spec.nodeName !== name) return false;
    if (sharesClaim(old, pod)) return true;
    if (resource === undefined) return devicesOf(old).length === 0 && handsOutAnyOften(labels);
    return (
      devicesOf(old).includes(resource) &&
      (resource.endsWith('.shared') || isHandedOutOften(labels, resource))
    );
  });
  if (first === undefined) return undefined;
  return { hold: { by: 'device-memory', resource: resource ?? '', node: name }, holders: [first, ...others] };
}

/** Extended resources of the pod's containers. */
function devicesOf({ spec }: Pod): readonly string[] {
  return spec.containers.flatMap(({ resources }) =>
    Object.keys({ ...resources.requests, ...resources.limits }).filter((name) => name.includes('/')),
  );
}

/** Both pods use the devices of one ResourceClaim, which a template would make for each pod. */
function sharesClaim(old: Pod, pod: Pod): boolean {
  const namesOf = ({ spec }: Pod) =>
    spec.resourceClaims.flatMap(({ resourceClaimName }) => resourceClaimName ?? []);
  const own = new Set(namesOf(pod));
  return namesOf(old).some((claim) => own.has(claim));
}

/** Some device of the node is shared in time or in memory. */
function handsOutAnyOften(labels: Readonly<Record<string, string>>): boolean {
  return Object.keys(labels).some((key) => {
    const resource = /^(.{1,253})\.(?:sharing-strategy|replicas)$/u.exec(key)?.[1];
    return resource !== undefined && isHandedOutOften(labels, resource);
  });
}

/** As feature discovery labels nodes: `<resource>.sharing-strategy`, or `<resource>.replicas` above one. */
function isHandedOutOften(labels: Readonly<Record<string, string>>, resource: string): boolean {
  const strategy = labels[`${resource}.sharing-strategy`];
  const replicas = Number(labels[`${resource}.replicas`] ?? '1');
  return (strategy !== undefined && strategy !== 'none') || replicas > 1;
}

function sharedPort(serving: readonly Pod[], { pod }: PodFailure): Found | undefined {
  if (!pod.spec.hostNetwork) return undefined;
  const [holder, ...others] = serving.filter(
    (old) => old.spec.hostNetwork && old.spec.nodeName === pod.spec.nodeName,
  );
  if (holder === undefined || others.length > 0) return undefined;
  return { hold: { by: 'port', node: pod.spec.nodeName ?? '' }, holders: [holder] };
}

/**
 * A lock for as long as its holder lives: a ConfigMap that the old pod owns, or the old pod's name in a line
 * about the lock. The garbage collector deletes the object with its owner.
 */
export function leaderLock(
  { index, logs }: Snapshot,
  serving: readonly Pod[],
  pod: Pod,
  container: string,
): (Found & Pick<HeldByOwn, 'line'>) | undefined {
  const lines = endedLogOf(logs, pod, container)?.lines ?? [];
  const words = lines.map((line) => ({ line, word: lockWordOf(line) }));
  const blocked = words.findLast(({ word }) => word === 'blocked');
  if (blocked === undefined || words.some(({ word }) => word === 'got')) return undefined;
  if (endingOf(blocked.line) === 'database-lock' && !endsWithItsHolder.test(blocked.line)) return undefined;
  const configMaps = index.objects.ConfigMap.filter(
    ({ metadata }) => metadata.namespace === pod.metadata.namespace,
  );
  for (const holder of serving) {
    const owned = configMaps.find(
      ({ metadata }) =>
        metadata.ownerReferences.some(({ kind, uid }) => kind === 'Pod' && uid === holder.metadata.uid) &&
        (aboutLeaders.test(blocked.line) || lines.some((line) => namesObject(line, metadata.name))),
    );
    const naming = lines.findLast(
      (line) => aboutHolders.test(line.slice(0, maxLine)) && namesObject(line, holder.metadata.name),
    );
    if (owned === undefined && naming === undefined) continue;
    return {
      hold: { by: 'lock', configMap: owned && `${owned.metadata.namespace}/${owned.metadata.name}` },
      holders: [holder],
      line: lineOf(container, blocked.line),
    };
  }
  return undefined;
}

/** A lock of a session. One that a table records outlives the pod that it names. */
const endsWithItsHolder = /\badvisory|\bsessions?\b|\bget_lock\b/iu;

/** A line may name a pod for any reason, such as in a list of peers. */
const aboutHolders = /\b(?:lead|elect|lock|lease|held|hold|own|master|primary)|lockowner|leaderid/iu;
const maxLine = 2000;

/**
 * A pod owns many ConfigMaps: one is the record of an election where the line is about leaders, or names it.
 */
const aboutLeaders = /\b(?:lead(?:er|ers|ing|ership)|election|elected)\b/iu;

/** Whether a pod has a container that keeps failing, so that it will not become ready by itself. */
export function keepsFailing(pod: Pod): boolean {
  return containersOf(pod).some(
    ({ role, status }) =>
      (role === 'main' || role === 'init') &&
      !(status?.ready ?? true) &&
      (status?.restartCount ?? 0) >= minRestarts,
  );
}
