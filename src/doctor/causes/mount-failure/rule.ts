import * as z from 'zod';
import { leastOf } from '../../../engine/collections/collections.js';
import { isObjectName } from '../../../engine/objects/metadata.js';
import { isReady, type Pod, refOf } from '../../../engine/objects/pod.js';
import type { Volume } from '../../../engine/objects/pod-spec.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { workloadKinds } from '../../../engine/objects/workload.js';
import { claimUses } from '../../../engine/scheduler/volume-state.js';
import { crashFinding } from '../../findings/crashes/crash-finding.js';
import { crashFacts, crashFactsOf, missingObjectFacts, timesFact } from '../../findings/crashes/facts.js';
import { detectEach, failingPodsOf } from '../../findings/crashes/failing-pods.js';
import { type FailureGroup, healthyPredecessors, podsOf } from '../../findings/crashes/failure-group.js';
import { agentAdvice, troubledAgents } from '../../findings/crashes/node-agents.js';
import { isNoDevice } from '../../findings/crashes/runtime-refusal.js';
import { crash } from '../../findings/crashes/text.js';
import { oldPodFirst } from '../../findings/deadlock/lasting-strategy.js';
import { fact } from '../../findings/facts.js';
import { type Advice, blamedNode } from '../../findings/finding.js';
import { objectNotFound } from '../../findings/object-not-found.js';
import type { Rule } from '../../findings/rule.js';
import { podNeeds } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import { adviceOf, driverAdvice, relabelAdvice, slotsUsedUp } from './advice.js';
import { attachedElsewhere, attachmentOf, usersOnNamedNode, volumeOfClaim } from './attachments.js';
import { fullInMemory, memoryAdvice } from './in-memory.js';
import { mountWordsIn } from './message-words.js';
import { state, text } from './text.js';

/** The number of characters of a message to search. */
const searched = 4096;

/** Kubernetes `pkg/volume/csi/csi_drivers_store.go` and its callers. */
const noDriver =
  /driver(?: name)? (\S{1,253}) (?:is )?not found in the list of registered CSI drivers|not found in the list of registered CSI drivers/;

/**
 * The CSI driver that is not registered on the node of the pod, by the kubelet's message or by the CSINode.
 */
function driverMissingOn({ index }: Snapshot, pod: Pod, message: string): string | undefined {
  const found = noDriver.exec(message.slice(0, searched));
  const [, named] = found ?? [];
  if (named !== undefined) return named;
  const drivers = driversOf(index, pod);
  const node = index.objects.CSINode.find(({ metadata }) => metadata.name === pod.spec.nodeName);
  const [missing] =
    node === undefined
      ? []
      : drivers.filter((driver) => node.spec.drivers.every(({ name }) => name !== driver));
  return missing ?? (found === null ? undefined : drivers[0]);
}

function driversOf(index: Snapshot['index'], { spec, metadata }: Pod): readonly string[] {
  return spec.volumes.flatMap(({ csi, persistentVolumeClaim }) => {
    if (csi !== undefined) return [csi.driver];
    const volume = volumeOfClaim(index, metadata.namespace, persistentVolumeClaim?.claimName);
    return volume?.spec.csi === undefined ? [] : [volume.spec.csi.driver];
  });
}

const MountFailureFacts = z.strictObject({
  ...crashFacts,
  volume: fact.text('Name of the volume in the pod, where it is known').optional(),
  missing: z
    .strictObject({ ...missingObjectFacts })
    .describe('What the volume is made of and does not exist; absent for other failures')
    .optional(),
  sinceSeconds: fact.seconds('Time since the first failure').optional(),
  times: timesFact,
});

/**
 * The place of the mount is wrong, not the volume: a folder over a file, a file over a folder, a read-only
 * file system, or a path inside the volume. Words of runc (`rootfs_linux.go`) and the kubelet
 * (`kubelet_pods.go: makeMounts`).
 */
const placeRefused =
  /\bnot a directory\b|\bis a directory\b|\bfile exists\b|\bread-only file system\b|\bsubPath\b/i;

/**
 * On a node the kubelet mounts a volume with one SELinux label (`desired_state_of_world.go: AddPodToVolume`;
 * gate SELinuxMount, on since 1.37, and before for ReadWriteOncePod).
 */
const otherLabel = /\bconflicting SELinux labels of volume\b/;

/** Pods on the node that use a claim of this pod. */
function usersBeside({ index }: Snapshot, pod: Pod): readonly Pod[] {
  const claims = new Set(claimUses(pod).map(({ name }) => name));
  return (index.podsByNode.get(pod.spec.nodeName ?? '') ?? []).filter(
    (other) =>
      other.metadata.uid !== pod.metadata.uid &&
      other.metadata.namespace === pod.metadata.namespace &&
      claimUses(other).some(({ name }) => claims.has(name)),
  );
}

/** Own pods on the node that run with the claim. */
function ownUsersBeside(snapshot: Snapshot, pod: Pod): readonly Pod[] {
  const own = new Set(podsOf(snapshot).map(({ metadata }) => metadata.uid));
  return usersBeside(snapshot, pod).filter((each) => isReady(each) && own.has(each.metadata.uid));
}

/** A mount that succeeds at the second try is no trouble: it waits for caches and attachments. */
const patienceSeconds = 60;

/**
 * A pod has its node and cannot start, since a volume cannot be attached or mounted there. The message names
 * the volume; where it is made of a ConfigMap or Secret that is missing, that is named.
 */
export const mountFailure: Rule<typeof MountFailureFacts> = {
  id: 'mount-failure',
  facts: MountFailureFacts,
  text,
  origin: 'volumes',
  appliesTo: workloadKinds,
  needs: [...podNeeds, 'PersistentVolumeClaim', 'PersistentVolume', 'VolumeAttachment', 'CSINode'],
  supersedes: ['progress-deadline-exceeded'],
  ...detectEach('mount-failure', (examination, failureGroup) => {
    const { snapshot } = examination;
    const { podFailures, nodes } = failureGroup;
    const [{ pod, message, events, container }] = podFailures;
    const since = podFailures
      .flatMap((each) => each.events)
      .map(({ firstSeen }) => Date.parse(firstSeen ?? ''))
      .filter((time) => !Number.isNaN(time));
    const sinceSeconds = since.length === 0 ? undefined : (nowOf(snapshot) - leastOf(since)) / 1000;
    const place =
      container !== undefined && placeRefused.test(message.slice(0, searched)) ? container : undefined;
    const isEarly = sinceSeconds !== undefined && sinceSeconds < patienceSeconds;
    // A place that is refused once is refused again.
    if (isEarly && place === undefined) return undefined;
    const users = otherLabel.test(message.slice(0, searched)) ? usersBeside(snapshot, pod) : undefined;
    const words = mountWordsIn(message.slice(0, searched));
    const beside = words.isInUse ? ownUsersBeside(snapshot, pod) : [];
    const missing = missingSource(pod, message);
    const account = missingAccount(pod, message);
    const device = isNoDevice(message, container?.spec) ? container?.spec.volumeDevices[0] : undefined;
    const facts = {
      volume: missing?.volume ?? device?.name ?? volumeNamed(pod, message),
      missing: missing && { kind: missing.kind, name: missing.name, key: missing.key },
      sinceSeconds,
      times: events.reduce((sum, { count }) => sum + count, 0),
    };
    const inMemory = fullInMemory(pod, facts.volume, message.slice(0, searched));
    const base = crashFactsOf(failureGroup);
    const path = pod.spec.volumes.find(({ name }) => name === facts.volume)?.hostPath?.path;
    const driver = driverMissingOn(snapshot, pod, message);
    const attachment = attachmentOf(snapshot, pod);
    const agents = missing === undefined ? troubledAgents(snapshot, nodes, `${message} ${driver ?? ''}`) : [];
    const isAttaching = podFailures[0].reason === 'FailedAttachVolume' && attachment === undefined;
    const elsewhere = isAttaching ? attachedElsewhere(snapshot, pod) : undefined;
    const named = isAttaching ? undefined : usersOnNamedNode(snapshot, pod, message);
    const workload = workloadName(snapshot);
    const errors = `${message} ${attachment?.error ?? ''}`.slice(0, searched);
    const isToldByAttachment =
      attachment !== undefined && attachment.advice.length > 0 && !slotsUsedUp.test(errors);
    const ofVolume = (): readonly Advice[] => {
      if (users !== undefined) return relabelAdvice;
      if (missing !== undefined) return [additionOf(pod, missing)];
      if (elsewhere !== undefined)
        return [{ title: state('advice-one-node-title'), text: state('advice-one-node', elsewhere) }];
      if (isToldByAttachment) return [];
      if (inMemory !== undefined) return [memoryAdvice(inMemory)];
      const isByController = isAttaching || attachment !== undefined;
      return [
        adviceOf(failureGroup, facts.volume, {
          isPlaceRefused: place !== undefined,
          isByController,
          isNoDevice: device !== undefined,
          account,
          errors,
          words,
          oldPodFirst: beside.length === 0 ? undefined : oldPodFirst(snapshot.workload),
        }),
      ];
    };
    return crashFinding(examination, failureGroup, {
      confidence: missing === undefined ? 'likely' : 'proven',
      ...(driver === undefined ? {} : blamedNode(nodes)),
      // The driver of a node and its attachments are the same for every revision.
      ...(driver !== undefined || attachment !== undefined ? { origin: 'surroundings' as const } : {}),
      ...(place === undefined && users === undefined && inMemory === undefined
        ? {}
        : { origin: 'template' as const }),
      ...(account === undefined ? {} : { origin: originOfAccount(snapshot, failureGroup, account) }),
      summary:
        missing === undefined
          ? state('summary', { workload, volume: facts.volume })
          : state('summary-missing', { workload, kind: missing.kind, name: missing.name, key: missing.key }),
      facts,
      standing: state('standing', { ...failingPodsOf(failureGroup), sinceSeconds }),
      holders:
        missing === undefined
          ? (users ?? []).map(refOf)
          : [{ kind: missing.kind, namespace: pod.metadata.namespace, name: missing.name }],
      reasoning: [
        crash('where', { pods: base.pods, nodes }),
        crash('event-says', { message, times: facts.times }),
        ...(missing === undefined
          ? []
          : [
              state('source', { volume: missing.volume, kind: missing.kind, name: missing.name }),
              state('keeps-asking'),
            ]),
        ...(place === undefined ? [] : [state('mount-refused', { container: place.name })]),
        ...(account === undefined ? [] : [state('account-missing', { account })]),
        ...(inMemory === undefined ? [] : [state('in-memory', { ...inMemory })]),
        ...(device === undefined || container === undefined
          ? []
          : [state('no-device', { container: container.name, path: device.devicePath })]),
        ...(users === undefined
          ? []
          : [state('other-label', { pods: users.map(({ metadata }) => metadata.name) })]),
        ...(beside.length === 0
          ? []
          : [
              state('used-beside', {
                node: pod.spec.nodeName ?? '',
                pods: beside.map(({ metadata }) => metadata.name),
              }),
            ]),
        ...(path === undefined || place !== undefined
          ? []
          : [state('node-path', { volume: facts.volume ?? '', path })]),
        ...(driver === undefined ? [] : [state('driver-missing', { driver, node: pod.spec.nodeName ?? '' })]),
        ...agents.map((each) => crash('agent', { ...each })),
        ...(attachment === undefined ? [] : attachment.reasoning),
        ...(named === undefined ? [] : [state('used-on', named)]),
        ...(isAttaching
          ? [elsewhere === undefined ? state('attach-waits') : state('attached-for', elsewhere)]
          : []),
      ],
      ruledOut: [
        { cause: 'unsatisfiable-placement', because: crash('because-has-node') },
        {
          cause: 'application-crash',
          because:
            container === undefined
              ? crash('because-never-started')
              : state('because-refused', { container: container.name }),
        },
        ...(missing === undefined ? [] : [{ cause: 'config-missing', because: state('because-not-env') }]),
      ],
      ...(attachment === undefined ? {} : { evidence: attachment.evidence }),
      withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
      advice: [
        ...agentAdvice(agents),
        ...(attachment?.advice ?? []),
        ...(driver === undefined || agents.length > 0 ? [] : [driverAdvice(snapshot, driver, nodes)]),
        ...ofVolume(),
      ],
    });
  }),
};

/** The ServiceAccount of the pod that does not exist: the kubelet gets no token of it for a volume. */
function missingAccount({ spec }: Pod, message: string): string | undefined {
  const [, named] = /\bserviceaccounts? "([^"]{1,253})" not found/i.exec(message.slice(0, searched)) ?? [];
  return named !== undefined && isObjectName(named) && named === spec.serviceAccountName ? named : undefined;
}

/** Pods of a revision with the same ServiceAccount could not be started again either. */
function originOfAccount(snapshot: Snapshot, failureGroup: FailureGroup, account: string) {
  const former = healthyPredecessors(snapshot, failureGroup);
  const isOther = former.length > 0 && former.every(({ spec }) => spec.serviceAccountName !== account);
  return isOther ? ('template' as const) : ('surroundings' as const);
}

function additionOf({ metadata }: Pod, { kind, name, key }: MissingSource): Advice {
  const field = kind === 'ConfigMap' ? 'data' : 'stringData';
  return {
    title: state('advice-add-title', { kind, name, key }),
    text: crash('advice-add'),
    snippet: `apiVersion: v1\nkind: ${kind}\nmetadata:\n  namespace: ${metadata.namespace}\n  name: ${name}\n${field}:\n  ${key ?? 'FILE'}: "…"\n`,
  };
}

/** What a volume of the pod is made of and the kubelet does not find. */
interface MissingSource {
  readonly volume: string;
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
  /** A key that the object lacks; absent where the whole object is missing. */
  readonly key: string | undefined;
}

/**
 * The volume of the pod that a message names: by its name, or by the folder in which the kubelet keeps it
 * (`volumes/PLUGIN/NAME`, `volume-subpaths/NAME`).
 */
export function volumeNamed({ spec }: Pod, message: string): string | undefined {
  const said = message.slice(0, searched);
  const named = /volume(?:Mount)? "([^"]{1,253})"/.exec(said)?.[1] ?? '';
  const kept = /\/(?:volumes\/[^/":]{1,253}|volume-subpaths)\/([^/":]{1,253})/.exec(said)?.[1] ?? '';
  const listed = /(?:unmounted|unattached) volumes=\[([^\][]*)\]/.exec(said)?.[1]?.split(/[ ,]+/) ?? [];
  const candidates = new Set([named, kept, ...listed]);
  return spec.volumes.find(({ name }) => candidates.has(name))?.name;
}

/**
 * The ConfigMap or Secret that a mount misses (kubernetes `pkg/volume/configmap`, `pkg/volume/secret`):
 * `configmap "n" not found`, `secret "n" not found`, `references non-existent config key: k`. Only objects
 * that a volume of the pod really names are believed.
 */
export function missingSource(pod: Pod, message: string): MissingSource | undefined {
  const whole = objectNotFound(message);
  const key = /references non-existent (config|secret) key: (\S+)/.exec(message)?.[2];
  const sources = pod.spec.volumes.flatMap(sourcesOf);
  if (whole !== undefined) {
    const found = sources.find(({ kind, name }) => name === whole.name && kind.toLowerCase() === whole.kind);
    return found && { ...found, key: undefined };
  }
  if (key === undefined) return undefined;
  const volume = volumeNamed(pod, message);
  const found = sources.find((source) => source.volume === volume && source.keys.includes(key));
  return found && { ...found, key };
}

interface Source extends Omit<MissingSource, 'key'> {
  readonly keys: readonly string[];
}

function sourcesOf({ name: volume, configMap, secret, projected }: Volume): readonly Source[] {
  const source = (
    kind: Source['kind'],
    name: string,
    items: readonly { readonly key: string }[],
  ): Source => ({ volume, kind, name, keys: items.map(({ key }) => key) });
  return [
    ...(configMap === undefined ? [] : [source('ConfigMap', configMap.name, configMap.items)]),
    ...(secret === undefined ? [] : [source('Secret', secret.secretName, secret.items)]),
    ...(projected?.sources ?? []).flatMap((each) => [
      ...(each.configMap === undefined
        ? []
        : [source('ConfigMap', each.configMap.name, each.configMap.items)]),
      ...(each.secret === undefined ? [] : [source('Secret', each.secret.name, each.secret.items)]),
    ]),
  ];
}
