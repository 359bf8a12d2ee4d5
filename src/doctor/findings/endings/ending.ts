import { isReady, type Pod } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { type EndingKind, endingOf, pathIn } from '../../log-lines/ending-kinds.js';
import { type FailureGroup, podsOf } from '../crashes/failure-group.js';
import { lastLinesOf } from '../crashes/last-lines.js';
import { selectsPod } from '../restart/dependency-returned.js';
import type { Ending, EndingCase } from './ending-case.js';
import { adviceOf, claimIn, mountedOf, mountOfPath, readyPodsWith } from './ending-case.js';
import { fileRefused } from './file-refused.js';
import { processMemory, sharedMemory } from './memory.js';
import { ending } from './text.js';
import { unreachable } from './unreachable.js';

/** `undefined` where no log was read, or its deciding line is of no known kind. */
export function endingOfGroup(snapshot: Snapshot, failureGroup: FailureGroup): Ending | undefined {
  const known = caseOf(snapshot, failureGroup);
  return known && { kind: known.kind, ...knownOf(known.kind, known) };
}

/** Whether the reason lies in the data of a claim, which the next pod mounts too. */
export function liesInClaim(snapshot: Snapshot, failureGroup: FailureGroup): boolean {
  const known = caseOf(snapshot, failureGroup);
  return known !== undefined && aboutClaims.has(known.kind) && claimIn(known)?.claim !== undefined;
}

const aboutClaims: ReadonlySet<EndingKind> = new Set([
  'damaged-file',
  'data-version',
  'held-elsewhere',
  'no-space',
  'other-cluster',
]);

function caseOf(
  snapshot: Snapshot,
  failureGroup: FailureGroup,
): (EndingCase & { readonly kind: EndingKind }) | undefined {
  const line = lastLinesOf(snapshot, failureGroup)?.decides;
  const kind = line === undefined ? undefined : endingOf(line);
  const { container: view, pod } = failureGroup.podFailures[0];
  return line === undefined || kind === undefined || view === undefined
    ? undefined
    : { kind, snapshot, pod, view, line };
}

function knownOf(kind: EndingKind, known: EndingCase): Omit<Ending, 'kind'> {
  const copy = damagedCopy(known);
  if (copy !== undefined) return copy;
  switch (kind) {
    case 'no-space':
      return noSpace(known);
    case 'damaged-file':
    case 'data-version':
    case 'other-cluster':
      return aboutData(kind, known);
    case 'service-variable':
      return serviceVariable(known);
    case 'address-in-use':
      return addressInUse(known);
    case 'not-permitted':
    case 'read-only':
    case 'file-mode':
      return fileRefused(kind, known);
    case 'kind-not-installed':
      return kindNotServed(known);
    case 'shared-memory':
      return sharedMemory(known);
    case 'credentials':
      return credentials(known);
    case 'held-elsewhere':
      return keptInPod(known) ?? heldElsewhere(known);
    case 'setting':
      return setting(known);
    case 'unreachable':
      return unreachable(known);
    case 'process-memory':
      return processMemory(known);
    case 'illegal-instruction':
    case 'watch-limit':
    case 'kernel-setting':
      return onNode(kind, known);
    default:
      return { reasoning: [], advice: adviceOf(kind, known.view), origin: undefined };
  }
}

/** The group and version in a message about a kind that the API server does not serve. */
const servedVersion = /\bin (?:group and )?version "([\w.-]{1,120}\/v\d\w{0,20}|v\d\w{0,20})"/;

/** Groups of Kubernetes whose names have a dot, as those of CustomResourceDefinitions have to have. */
const builtInGroups =
  /^(?:admissionregistration|apiextensions|apiregistration|authentication|authorization|certificates|coordination|discovery|events|flowcontrol\.apiserver|internal\.apiserver|networking|node|rbac\.authorization|resource|scheduling|storage|storagemigration)\.k8s\.io\//;

/** A kind of Kubernetes itself needs another version of the program, and no definition. */
function kindNotServed({ view, line }: EndingCase): Omit<Ending, 'kind'> {
  const version = servedVersion.exec(line)?.[1];
  const isBuiltIn = version !== undefined && (!/\..{0,120}\//.test(version) || builtInGroups.test(version));
  if (!isBuiltIn) {
    return { reasoning: [], advice: adviceOf('kind-not-installed', view), origin: undefined };
  }
  return {
    reasoning: [ending('built-in-kind', { version })],
    advice: {
      title: ending('built-in-kind-title'),
      text: ending('built-in-kind-advice', { container: view.name }),
      snippet: 'kubectl api-versions\n',
    },
    origin: undefined,
  };
}

function noSpace(known: EndingCase): Omit<Ending, 'kind'> {
  const { snapshot, pod, view } = known;
  const { name: container } = view;
  const at = claimIn(known);
  const { namespace } = pod.metadata;
  const claim = snapshot.index.objects.PersistentVolumeClaim.find(
    ({ metadata }) => metadata.namespace === namespace && metadata.name === at?.claim,
  );
  if (at?.claim === undefined) {
    return { reasoning: [], advice: adviceOf('no-space', view), origin: undefined };
  }
  const size = claim?.spec.resources?.requests.storage;
  return {
    reasoning: [ending('on-claim', { claim: at.claim, size, path: at.mountPath })],
    advice: {
      title: ending('no-space-title', { container }),
      text: ending('claim-full-advice', { claim: at.claim, size }),
      snippet: `kubectl -n ${namespace} patch pvc ${at.claim} --type merge -p '{"spec":{"resources":{"requests":{"storage":"…"}}}}'\n`,
    },
    origin: 'surroundings',
  };
}

/** The claim that holds the data: a volume keeps what no roll back changes. */
function aboutData(
  kind: 'damaged-file' | 'data-version' | 'other-cluster',
  known: EndingCase,
): Omit<Ending, 'kind'> {
  const { snapshot, pod, view } = known;
  const at = claimIn(known);
  const claim = at?.claim;
  // A ready pod with the same data shows that the data is not what ends this one.
  const isShared = claim !== undefined && readyPodsWith(snapshot, pod.metadata.namespace, claim).length > 0;
  return {
    reasoning:
      at === undefined || claim === undefined
        ? []
        : [ending('on-claim', { claim, size: undefined, path: at.mountPath })],
    advice: adviceOf(kind, view),
    origin: claim === undefined || isShared || kind === 'data-version' ? undefined : 'volumes',
  };
}

/** Who else may hold a lock of the data: ready pods of other workloads that mount the claim. */
function heldElsewhere(known: EndingCase): Omit<Ending, 'kind'> {
  const { snapshot, pod, view } = known;
  const { namespace } = pod.metadata;
  const claim = claimIn(known)?.claim;
  const own = new Set(podsOf(snapshot).map(({ metadata }) => metadata.uid));
  const pods = (claim === undefined ? [] : readyPodsWith(snapshot, namespace, claim))
    .filter(({ metadata }) => !own.has(metadata.uid))
    .map(({ metadata }) => metadata.name);
  return {
    reasoning:
      claim === undefined || pods.length === 0
        ? []
        : [ending('mounted-elsewhere', { claim, pods: pods.sort() })],
    advice: adviceOf('held-elsewhere', view),
    origin: undefined,
  };
}

/** A file that a restart of the container finds again: an `emptyDir` lasts as long as its pod. */
function keptInPod({ pod, view, line }: EndingCase): Omit<Ending, 'kind'> | undefined {
  const path = pathIn(line);
  const at = path === undefined ? undefined : mountOfPath(mountedOf(pod, view), path);
  const volume = pod.spec.volumes.find(({ name }) => name === at?.volume);
  const mounts = pod.spec.containers.filter(({ volumeMounts }) =>
    volumeMounts.some(({ name }) => name === at?.volume),
  );
  if (at === undefined || volume?.emptyDir === undefined || mounts.length > 1) return undefined;
  return {
    reasoning: [ending('kept-in-pod', { volume: at.volume, path: at.mountPath })],
    advice: {
      title: ending('kept-in-pod-title'),
      text: ending('kept-in-pod-advice', { path: at.mountPath }),
      snippet: `kubectl -n ${pod.metadata.namespace} delete pod ${pod.metadata.name}\n`,
    },
    origin: undefined,
    endsWithPod: true,
  };
}

/**
 * A port that is none, where a Service of the own pods sets a variable: its value is a URL. A program often
 * has the name of its Service, and reads `NAME_PORT` as its port.
 */
function setting({ snapshot, pod, view, line }: EndingCase): Omit<Ending, 'kind'> {
  const { env, envFrom } = view.spec;
  const services =
    /\bports?\b/i.test(line) && pod.spec.enableServiceLinks && envFrom.length === 0
      ? snapshot.index.objects.Service.filter(
          (service) =>
            selectsPod(service, pod) && service.spec.clusterIP !== '' && service.spec.clusterIP !== 'None',
        )
      : [];
  const variables = services
    .map(({ metadata }) => ({ service: metadata.name, variable: `${variableOf(metadata.name)}_PORT` }))
    .filter(({ variable }) => !env.some(({ name }) => name === variable));
  return {
    reasoning: variables.slice(0, 1).map((each) => ending('own-variable', each)),
    advice: adviceOf('setting', view),
    origin: undefined,
  };
}

/** Services of the namespace whose variable or address the line names. */
function serviceVariable({ snapshot, pod, view, line }: EndingCase): Omit<Ending, 'kind'> {
  const services = snapshot.index.objects.Service.filter(
    ({ metadata }) => metadata.namespace === pod.metadata.namespace,
  ).filter(
    ({ metadata, spec }) =>
      line.includes(`${variableOf(metadata.name)}_PORT`) ||
      (spec.clusterIP !== '' && line.includes(`://${spec.clusterIP}:`)),
  );
  const [service, ...others] = services;
  return {
    reasoning:
      service === undefined || others.length > 0
        ? []
        : [
            ending('variable-of-service', {
              service: service.metadata.name,
              variable: `${variableOf(service.metadata.name)}_PORT`,
            }),
          ],
    advice: adviceOf(
      'service-variable',
      view,
      'spec:\n  template:\n    spec:\n      enableServiceLinks: false\n',
    ),
    origin: undefined,
  };
}

/** As the kubelet makes it (kubernetes `pkg/kubelet/envvars/envvars.go: makeEnvVariableName`). */
function variableOf(service: string): string {
  return service.toUpperCase().replaceAll('-', '_');
}

function addressInUse({ pod, view }: EndingCase): Omit<Ending, 'kind'> {
  const node = pod.spec.nodeName ?? '';
  return {
    reasoning: [
      pod.spec.hostNetwork
        ? ending('port-of-node', { node })
        : ending('port-of-pod', { container: view.name }),
    ],
    advice: adviceOf('address-in-use', view),
    origin: undefined,
  };
}

/** Secrets from which the container takes variables: where to look, not what is wrong. */
function credentials({ view }: EndingCase): Omit<Ending, 'kind'> {
  const { env, envFrom } = view.spec;
  const secrets = [
    ...env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []),
    ...envFrom.flatMap(({ secretRef }) => secretRef?.name ?? []),
  ];
  return {
    reasoning:
      secrets.length === 0
        ? []
        : [ending('secrets-read', { container: view.name, secrets: [...new Set(secrets)].sort() })],
    advice: adviceOf('credentials', view),
    origin: undefined,
  };
}

function onNode(
  kind: 'illegal-instruction' | 'watch-limit' | 'kernel-setting',
  { snapshot, pod, view }: EndingCase,
): Omit<Ending, 'kind'> {
  const node = snapshot.index.nodes.get(pod.spec.nodeName ?? '');
  const info = node?.status.nodeInfo;
  return {
    reasoning:
      node === undefined || info === undefined || kind === 'watch-limit'
        ? []
        : [
            ending('node-facts', {
              node: node.metadata.name,
              architecture: info.architecture,
              kernel: info.kernelVersion,
            }),
          ],
    advice: adviceOf(kind, view),
    origin: kind === 'watch-limit' ? 'surroundings' : undefined,
  };
}

/** A program that one node cannot execute, while others of its architecture execute the same image. */
function damagedCopy({ snapshot, pod, view, line }: EndingCase): Omit<Ending, 'kind'> | undefined {
  const node = pod.spec.nodeName ?? '';
  if (!/^exec \S{1,300}: (?:exec format|input\/output) error\b|\bcannot execute binary file\b/i.test(line)) {
    return undefined;
  }
  const others = nodesThatRun(snapshot, pod, view.spec.image);
  if (others.length === 0) return undefined;
  return {
    reasoning: [ending('runs-elsewhere', { node, others })],
    advice: {
      title: ending('image-copy-title', { node }),
      text: ending('image-copy-advice'),
      snippet: `kubectl -n ${pod.metadata.namespace} delete pod ${pod.metadata.name}\n`,
    },
    origin: 'surroundings',
  };
}

/** Other nodes of the pod's architecture on which a ready pod of the workload runs the image. */
function nodesThatRun(snapshot: Snapshot, pod: Pod, image: string): readonly string[] {
  const architectureOf = (name: string) => snapshot.index.nodes.get(name)?.status.nodeInfo?.architecture;
  const { nodeName = '' } = pod.spec;
  const nodes = podsOf(snapshot)
    .filter((each) => isReady(each) && each.spec.containers.some((container) => container.image === image))
    .map(({ spec }) => spec.nodeName ?? '')
    .filter((name) => name !== nodeName && architectureOf(name) === architectureOf(nodeName));
  return architectureOf(nodeName) === undefined ? [] : [...new Set(nodes)].sort();
}
