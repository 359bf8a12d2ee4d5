import * as z from 'zod';
import type { Statement } from '../../../engine/language/statement.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import type { Node } from '../../../engine/objects/node.js';
import { type Pod, podNames } from '../../../engine/objects/pod.js';
import { isAtLeast, parseServerVersion } from '../../../engine/objects/release-rules.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { workloadKinds } from '../../../engine/objects/workload.js';
import type { Confidence } from '../../findings/cause-id.js';
import { containersOf } from '../../findings/crashes/container-view.js';
import { crashFinding, onlyNodesOf, podsStatement } from '../../findings/crashes/crash-finding.js';
import { crashFacts } from '../../findings/crashes/facts.js';
import { detectEach, failingPodsOf } from '../../findings/crashes/failing-pods.js';
import { type FailureGroup, healthyPredecessors } from '../../findings/crashes/failure-group.js';
import type { PodFailure } from '../../findings/crashes/pod-failure.js';
import { crash } from '../../findings/crashes/text.js';
import { fact } from '../../findings/facts.js';
import { type Advice, blamedNode, type Finding } from '../../findings/finding.js';
import type { Examination, Rule } from '../../findings/rule.js';
import { podNeeds } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import { type PullRefusal, pullRefusalOf, pullRefusals } from './refusal.js';
import { state, text } from './text.js';

/** Refusals that an image name, a pod template or a node causes, whatever the registry answers. */
const notOfRegistry: ReadonlySet<PullRefusal> = new Set([
  'architecture',
  'invalid-name',
  'never-pull',
  'not-for-this-pod',
  'no-space',
]);

/** The registry that did not give the image; none where another pod of the revision has the image. */
export function blamedRegistry({
  image,
  refusal,
  podsWithImage,
}: {
  image: string;
  refusal: PullRefusal;
  podsWithImage: readonly string[];
}): Pick<Finding, 'blames'> {
  if (notOfRegistry.has(refusal) || podsWithImage.length > 0) return {};
  return { blames: { kind: 'Registry', name: registryOf(image) } };
}

/**
 * The host of an image name: its first part where that has a dot, a port or a capital letter, or is
 * `localhost`; Docker Hub otherwise. source: github.com/distribution/reference normalize.go,
 * splitDockerDomain
 */
export function registryOf(image: string): string {
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(0, slash));
  const isHost = /[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase();
  return isHost ? first : 'docker.io';
}

const ImagePullFailureFacts = z.strictObject({
  ...crashFacts,
  image: fact.text('The image that cannot be pulled'),
  refusal: fact.oneOf(pullRefusals, 'Why, by the messages'),
  imagePullSecrets: fact.names('Names of the imagePullSecrets of the pod'),
  serviceAccount: fact.text('Name of the service account of the pod').optional(),
  podsWithImage: fact.names('Pods of the revision that do not fail'),
  holders: fact
    .names('Pods on the node of the first pod that run this image; absent where none does')
    .optional(),
  imageBefore: fact.text('Image of the container in the former revision that runs').optional(),
});

/**
 * The node cannot get the image of a container. The waiting state alone says only that it backs off; why is
 * in the message of the pull, which the state and the kubelet's `Failed` events carry.
 */
export const imagePullFailure: Rule<typeof ImagePullFailureFacts> = {
  id: 'image-pull-failure',
  facts: ImagePullFailureFacts,
  text,
  origin: 'template',
  appliesTo: workloadKinds,
  needs: podNeeds,
  supersedes: ['crash-loop-after-rollout', 'application-crash', 'progress-deadline-exceeded'],
  ...detectEach('image-pull-failure', (examination, failureGroup) => {
    const { snapshot } = examination;
    const [first] = failureGroup.podFailures;
    if (first.container === undefined) return undefined;
    const { container } = failureGroup;
    const told = messagesOf(failureGroup);
    const mounted = mountedImage(first, told);
    const image = mounted?.reference ?? first.container.spec.image;
    const holders = mounted === undefined ? holdersOnNode(snapshot, first) : [];
    const refusal = withHolders(pullRefusalOf(first.reason, told, image), holders);
    const [message] = told;
    const only = onlyNodesOf(failureGroup);
    const unread = unreadSecrets(snapshot, first);
    // The registry did not get what the pod template promises.
    const lacksSecret = unread !== undefined && refusal === 'not-authorised';
    const isOfRegistry = !lacksSecret && (refusal !== 'not-authorised' || holders.length === 0);
    const pullingSince = refusal === 'no-answer' ? first.events.at(-1)?.lastSeen : undefined;
    const facts = {
      ...(message === undefined ? {} : { message }),
      image,
      refusal,
      imagePullSecrets: first.pod.spec.imagePullSecrets.map(({ name }) => name),
      serviceAccount: first.pod.spec.serviceAccountName,
      ...(holders.length === 0 ? {} : { holders: podNames(holders) }),
      ...comparedWith(examination, failureGroup, mounted?.volume),
    };
    return crashFinding(examination, failureGroup, {
      confidence: confidenceOf(refusal),
      ...(refusal === 'no-space'
        ? blamedNode(failureGroup.nodes)
        : isOfRegistry
          ? blamedRegistry(facts)
          : {}),
      summary: state('summary', { workload: workloadName(snapshot), image, refusal, nodes: only }),
      facts,
      standing: state('standing', failingPodsOf(failureGroup)),
      reasoning: [
        podsStatement(failureGroup),
        ...(mounted === undefined ? [] : [state('of-volume', { volume: mounted.volume, container })]),
        ...(message === undefined ? [] : [state('says', { container, message })]),
        ...(pullingSince === undefined
          ? []
          : [state('pulls-since', { node: first.pod.spec.nodeName ?? '', since: pullingSince })]),
        state('means', { refusal, image }),
        ...aboutHolders(first, holders, refusal),
        ...(mounted === undefined ? ranBefore(first) : []),
        ...aboutNodes(snapshot, failureGroup, refusal),
        ...(refusal === 'not-authorised' && only.length > 0
          ? [state('same-credentials', { nodes: only })]
          : []),
        ...(refusal === 'not-authorised' || refusal === 'not-for-this-pod' || refusal === 'rate-limited'
          ? [state('credentials', { secrets: facts.imagePullSecrets, serviceAccount: facts.serviceAccount })]
          : []),
        ...(unread === undefined ? [] : [state('secrets-unread', { message: unread.message })]),
        ...(facts.podsWithImage.length === 0 ? [] : [state('some-have-it', { pods: facts.podsWithImage })]),
        ...(facts.imageBefore === undefined
          ? []
          : [
              state(mounted === undefined ? 'former-image' : 'former-volume-image', {
                image: facts.imageBefore,
              }),
            ]),
      ],
      ruledOut:
        first.run === undefined
          ? [{ cause: 'application-crash', because: crash('because-never-ran', { container }) }]
          : [],
      withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
      advice: lacksSecret
        ? [
            {
              title: state('advice-secret-title', { secrets: unread.secrets }),
              text: state('advice-secret'),
            },
          ]
        : adviceOf(snapshot, failureGroup, refusal, image, only),
    });
  }),
};

/**
 * Pull Secrets that the kubelet does not find (kubernetes `kubelet_pods.go: getPullSecretsForPod`). Only
 * names of the pod are believed.
 */
function unreadSecrets({ index }: Snapshot, { pod }: PodFailure) {
  const events = index.eventsByUid.get(pod.metadata.uid) ?? [];
  const message = events.findLast(({ reason }) => reason === 'FailedToRetrieveImagePullSecret')?.message;
  if (message === undefined) return undefined;
  const listed = new Set(message.slice(0, 4096).match(/[a-z0-9.-]{1,253}/g));
  const secrets = pod.spec.imagePullSecrets.map(({ name }) => name).filter((name) => listed.has(name));
  return secrets.length === 0 ? undefined : { message, secrets };
}

/**
 * Pods on the same node that run the image. Since 1.35 the kubelet lets another pod use it only with
 * credentials that have pulled it (kubernetes `pkg/kubelet/images/pullmanager`, gate
 * KubeletEnsureSecretPulledImages).
 */
function holdersOnNode({ index }: Snapshot, { pod, container }: PodFailure): readonly Pod[] {
  const { nodeName = '' } = pod.spec;
  const kubelet = parseServerVersion(index.nodes.get(nodeName)?.status.nodeInfo.kubeletVersion ?? '');
  if (kubelet !== undefined && !isAtLeast(kubelet, 1, 35)) return [];
  return (index.podsByNode.get(nodeName) ?? []).filter((each) =>
    containersOf(each).some(
      ({ spec, status }) => spec.image === container?.spec.image && status?.state.running !== undefined,
    ),
  );
}

/** The kubelet says of such an image that it is not present. */
function withHolders(refusal: PullRefusal, holders: readonly Pod[]): PullRefusal {
  return refusal === 'never-pull' && holders.length > 0 ? 'not-for-this-pod' : refusal;
}

/** That the image is on the node, and which pull Secrets the pods have that may use it. */
function aboutHolders(
  { pod }: PodFailure,
  holders: readonly Pod[],
  refusal: PullRefusal,
): readonly Statement[] {
  if (holders.length === 0 || !(refusal === 'not-authorised' || refusal === 'not-for-this-pod')) return [];
  const own = new Set(pod.spec.imagePullSecrets.map(({ name }) => name));
  const theirs = holders
    .filter(({ metadata }) => metadata.namespace === pod.metadata.namespace)
    .flatMap(({ spec }) => spec.imagePullSecrets.map(({ name }) => name));
  const secrets = [...new Set(theirs)].filter((name) => !own.has(name)).sort();
  return [
    state('on-the-node', { node: pod.spec.nodeName ?? '', pods: podNames(holders) }),
    ...(secrets.length === 0 ? [] : [state('secrets-of-holders', { pods: podNames(holders), secrets })]),
  ];
}

/** A refusal speaks for itself. Where no answer came, the image may only be large. */
function confidenceOf(refusal: PullRefusal): Confidence {
  if (refusal === 'no-answer') return 'possible';
  return refusal === 'unknown' || refusal === 'not-for-this-pod' ? 'likely' : 'proven';
}

/** The pull of an image with which the container ran already: two problems, of which the crash came first. */
function ranBefore({ container, run }: PodFailure): readonly Statement[] {
  if (container === undefined || run === undefined) return [];
  return [
    state('ran-before', {
      container: container.name,
      restarts: container.status?.restartCount ?? 0,
      exitCode: run.exitCode,
      reason: run.reason,
    }),
    state('pulls-again', { policy: container.spec.imagePullPolicy ?? 'IfNotPresent' }),
  ];
}

/** What the nodes themselves show about the refusal. */
function aboutNodes(
  { index }: Snapshot,
  { nodes: names }: FailureGroup,
  refusal: PullRefusal,
): readonly Statement[] {
  const nodes = names.flatMap((name) => index.nodes.get(name) ?? []);
  if (refusal === 'no-space') {
    const pressed = nodes.filter(({ status }) => conditionOf(status, 'DiskPressure')?.status === 'True');
    return pressed.length === 0
      ? []
      : [state('disk-pressure', { nodes: pressed.map(({ metadata }) => metadata.name) })];
  }
  if (refusal !== 'architecture') return [];
  const others = nodes.filter((node) => isOfOtherSystem(node));
  if (others.length > 0)
    return [
      state('operating-system', {
        nodes: others.map(({ metadata }) => metadata.name),
        system: systemOf(others[0]),
      }),
    ];
  const architectureOf = ({ metadata }: Node): string => metadata.labels['kubernetes.io/arch'] ?? '';
  return [...new Set(nodes.map(architectureOf))]
    .filter((architecture) => architecture !== '')
    .sort()
    .map((architecture) =>
      state('architecture', {
        nodes: nodes
          .filter((node) => architectureOf(node) === architecture)
          .map(({ metadata }) => metadata.name),
        architecture,
      }),
    );
}

/** Most images are for Linux, and a pod without a selector may get a node of another system. */
function isOfOtherSystem(node: Node): boolean {
  return systemOf(node) !== '' && systemOf(node) !== 'linux';
}

function systemOf(node: Node | undefined): string {
  return node?.metadata.labels['kubernetes.io/os'] ?? '';
}

/**
 * The image of a volume that the container mounts, where the pull is of it: the kubelet pulls the images of
 * volumes first, and reports their failure as one of the container that mounts them (kubernetes
 * `kuberuntime_image.go`, `kuberuntime_manager.go: toKubeContainerImageVolumes`).
 */
function mountedImage({ pod, container }: PodFailure, told: readonly string[]) {
  const mounts = new Set(container?.spec.volumeMounts.map(({ name }) => name));
  const own = container?.spec.image ?? '';
  return pod.spec.volumes.flatMap(({ name, image }) => {
    const reference = image?.reference ?? '';
    const isAsked = told.some((message) => message.slice(0, 4096).includes(`image "${reference}"`));
    return reference !== '' && reference !== own && mounts.has(name) && isAsked
      ? [{ volume: name, reference }]
      : [];
  })[0];
}

/** What was said of the pull, the most telling first; that it backs off says nothing about why. */
function messagesOf({ podFailures }: FailureGroup): readonly string[] {
  const said = podFailures.flatMap(({ message, events }) => [
    ...events
      .filter(({ reason, message: text }) => reason === 'Failed' && /pull|image/i.test(text))
      .map((event) => event.message),
    message,
  ]);
  return [...new Set(said)]
    .filter((message) => message !== '' && !/^Error: (ErrImagePull|ImagePullBackOff)$/.test(message))
    .sort((a, b) => Number(/^Back-off/.test(a)) - Number(/^Back-off/.test(b)));
}

/** Whether anybody has this image, and what ran before it. */
function comparedWith({ snapshot }: Examination, failureGroup: FailureGroup, volume: string | undefined) {
  const { podFailures, siblings, container } = failureGroup;
  const failing = new Set(podFailures.map(({ pod }) => pod.metadata.uid));
  const well = siblings.filter(({ metadata }) => !failing.has(metadata.uid));
  const former = healthyPredecessors(snapshot, failureGroup);
  const imageBefore =
    volume === undefined
      ? former
          .flatMap(({ spec }) => [...spec.initContainers, ...spec.containers])
          .find(({ name }) => name === container)?.image
      : former.flatMap(({ spec }) => spec.volumes).find(({ name }) => name === volume)?.image?.reference;
  return { podsWithImage: well.map(({ metadata }) => metadata.name), imageBefore };
}

function adviceOf(
  { index }: Snapshot,
  { podFailures: [{ pod }], nodes }: FailureGroup,
  refusal: PullRefusal,
  image: string,
  only: readonly string[],
): readonly Advice[] {
  if (refusal === 'not-authorised' && only.length > 0)
    return [
      { title: state('advice-node-title', { nodes: only }), text: state('advice-node', { nodes: only }) },
    ];
  const { namespace } = pod.metadata;
  const credentials = `# kubectl -n ${namespace} create secret docker-registry REGISTRY-CREDENTIALS …\nspec:\n  template:\n    spec:\n      imagePullSecrets:\n        - name: REGISTRY-CREDENTIALS\n`;
  const isElsewhere = nodes.some((name) => {
    const node = index.nodes.get(name);
    return node !== undefined && isOfOtherSystem(node);
  });
  const snippets: Partial<Record<PullRefusal, string>> = {
    'not-authorised': credentials,
    'not-for-this-pod': credentials,
    architecture: `spec:\n  template:\n    spec:\n      nodeSelector:\n        ${
      isElsewhere ? 'kubernetes.io/os: linux' : 'kubernetes.io/arch: amd64'
    }   # one that the image is built for\n`,
    'never-pull': `imagePullPolicy: IfNotPresent\n`,
  };
  const snippet = snippets[refusal];
  return [
    {
      title: state('advice-title', { refusal }),
      text: state('advice', { refusal, image }),
      ...(snippet === undefined ? {} : { snippet }),
    },
  ];
}
