import { boundText } from '../../../engine/language/text-scanning.js';
import { autoscalerStatusMap } from '../../../engine/objects/autoscaler-status.js';
import type { Event } from '../../../engine/objects/event.js';
import { conditionOf, type ObjectRef } from '../../../engine/objects/metadata.js';
import { isKarpenter } from '../../../engine/objects/node-autoscalers.js';
import type { Pod } from '../../../engine/objects/pod.js';
import type { NodeClaim } from '../../../engine/objects/policy.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { freshAutoscalerStatus, groupsOfOrder } from './node-groups-that-may-grow.js';

/** The cloud refused the node that an autoscaler asked for. */
export interface CloudRefusal {
  readonly by: 'cluster-autoscaler' | 'Karpenter';
  /** The node group or NodePool; '' where nothing names it. */
  readonly group: string;
  readonly kind: CloudRefusalKind;
  /** What the cloud or the autoscaler reports. */
  readonly said: string;
  /** RFC3339. */
  readonly at: string;
  readonly object: ObjectRef;
  readonly field: string;
}

/** Autoscalers try again within this time, and report again. */
const newsMs = 60 * 60_000;

/**
 * The newest refusal of a node for any of the pods. A failure of a node group concerns a pod whose order
 * named the group, or of which the autoscaler reports that a group is in backoff: groups fail for pods of
 * others as well.
 */
export function cloudRefusalOf(snapshot: Snapshot, pods: readonly Pod[]): CloudRefusal | undefined {
  const newestFirst = pods
    .flatMap((pod) => [
      ...ownRefusals(snapshot, pod),
      ...groupRefusals(snapshot, pod),
      ...claimRefusals(snapshot, pod),
    ])
    .filter(({ at }) => isNews(snapshot, at))
    .sort((a, b) => (a.at < b.at ? 1 : -1));
  const [newest] = newestFirst;
  // The status quotes the cloud; an event about the pod may only sum it up.
  const quoted = newestFirst.find(({ kind, field }) => kind === newest?.kind && field === statusField);
  const refusal = quoted ?? newest;
  // Compute Engine names groups by address.
  return refusal && { ...refusal, group: refusal.group.slice(refusal.group.lastIndexOf('/') + 1) };
}

const statusField = 'data.status';

function isNews(snapshot: Snapshot, at: string): boolean {
  return nowOf(snapshot) - Date.parse(at) < newsMs;
}

function eventsOf({ index }: Snapshot, { metadata }: Pod): readonly Event[] {
  return index.eventsByUid.get(metadata.uid) ?? [];
}

/** Events about the pod itself, which name zones in place of node groups. */
function ownRefusals(snapshot: Snapshot, pod: Pod): readonly CloudRefusal[] {
  const events = eventsOf(snapshot, pod);
  return events
    .filter(({ reason }) => reason === 'FailedScaleUp')
    .map((event) => {
      const order = events.findLast(({ reason }) => reason === 'TriggeredScaleUp');
      return fromEvent(event, 'cluster-autoscaler', groupsOfOrder(order?.message ?? '')[0] ?? '');
    });
}

/**
 * `Scale-up failed for group G: …` (cluster-autoscaler `core/scaleup/orchestrator/executor.go`), or its
 * status.
 */
const failedGroup = /^Scale-up failed for group (\S{1,512}): /u;

function groupRefusals(snapshot: Snapshot, pod: Pod): readonly CloudRefusal[] {
  const events = eventsOf(snapshot, pod);
  const ordered = new Set(
    events.flatMap(({ reason, message }) => (reason === 'TriggeredScaleUp' ? groupsOfOrder(message) : [])),
  );
  const declined = events.findLast(({ reason }) => reason === 'NotTriggerScaleUp');
  const isInBackoff = declined?.message.includes(backoffWords) === true;
  const concerns = (group: string): boolean => isInBackoff || ordered.has(group);
  const status = freshAutoscalerStatus(snapshot);
  return [
    ...snapshot.index.objects.Event.filter(isAboutStatus).flatMap((event) => {
      const group = failedGroup.exec(event.message)?.[1];
      return group === undefined || !concerns(group) ? [] : [fromEvent(event, 'cluster-autoscaler', group)];
    }),
    ...(status?.groups ?? []).flatMap(({ name, scaleUp, errorCode, errorMessage, failedAt }) =>
      scaleUp !== 'Backoff' || errorCode === '' || !concerns(name)
        ? []
        : [
            {
              by: 'cluster-autoscaler' as const,
              group: name,
              ...kindAndWords(errorMessage === '' ? errorCode : `${errorCode}: ${errorMessage}`),
              at: failedAt ?? status?.at ?? '',
              object: { kind: 'ConfigMap', ...autoscalerStatusMap },
              field: statusField,
            },
          ],
    ),
  ];
}

/** cluster-autoscaler writes what concerns no pod about its status. */
function isAboutStatus({ reason, involvedObject }: Event): boolean {
  const { namespace, name } = autoscalerStatusMap;
  if (reason !== 'FailedToScaleUpGroup' || involvedObject.kind !== 'ConfigMap') return false;
  return involvedObject.namespace === namespace && involvedObject.name === name;
}

/**
 * Of a NodeClaim, which has no namespace: its events are in `default` (client-go
 * `tools/record/event.go: makeEvent`).
 */
function isRefusedClaim({ reason, involvedObject, metadata }: Event): boolean {
  if (reason !== 'InsufficientCapacityError' || involvedObject.kind !== 'NodeClaim') return false;
  return involvedObject.namespace === '' && metadata.namespace === 'default';
}

/**
 * cluster-autoscaler `core/scaleup/orchestrator/skippedreasons.go: BackoffReason`, in an event about the pod.
 */
export const backoffWords = 'in backoff after failed scale-up';

/**
 * Karpenter deletes a NodeClaim that the cloud refuses, and makes another one for the same pod: those of one
 * NodePool begin with its name (karpenter `pkg/controllers/nodeclaim/lifecycle/launch.go`). A claim that is
 * being launched is no refusal.
 */
function claimRefusals(snapshot: Snapshot, pod: Pod): readonly CloudRefusal[] {
  const nominated = eventsOf(snapshot, pod).findLast(
    ({ reason, component }) => reason === 'Nominated' && isKarpenter(component),
  );
  const claim = claimIn(nominated?.message ?? '');
  if (claim === undefined) return [];
  const pool = poolOf(claim);
  const { Event: all, NodeClaim: claims } = snapshot.index.objects;
  const refused = all.filter(isRefusedClaim);
  const live = claims.find(({ metadata }) => metadata.name === claim);
  const launched = live && conditionOf(live.status, 'Launched');
  const failures = refused
    .filter(({ involvedObject }) => poolOf(involvedObject.name) === pool)
    .map((event) => fromEvent(event, 'Karpenter', pool));
  const isOwn = refused.some(({ involvedObject }) => involvedObject.name === claim);
  if (live !== undefined && launched?.reason !== launchFailed && !isOwn) return [];
  if (live === undefined || launched?.reason !== launchFailed) return failures;
  return [
    ...failures,
    {
      by: 'Karpenter',
      group: pool,
      ...kindAndWords(launched.message),
      at: launched.lastTransitionTime ?? live.metadata.creationTimestamp ?? '',
      object: { kind: 'NodeClaim', namespace: '', name: claim },
      field: 'status.conditions[Launched]',
    },
  ];
}

const launchFailed = 'LaunchFailed';

/** Whether the cloud refused the node of the NodeClaim, as its condition or its events report. */
export function isLaunchRefused({ index }: Snapshot, { metadata, status }: NodeClaim): boolean {
  return (
    conditionOf(status, 'Launched')?.reason === launchFailed ||
    index.objects.Event.some((event) => isRefusedClaim(event) && event.involvedObject.name === metadata.name)
  );
}

function claimIn(message: string): string | undefined {
  return /nodeclaim\/([a-z0-9.-]{1,253})/u.exec(message)?.[1];
}

/** Names of NodeClaims are made of the pool's name and five characters. */
function poolOf(claim: string): string {
  return claim.slice(0, Math.max(0, claim.lastIndexOf('-')));
}

function fromEvent(event: Event, by: CloudRefusal['by'], group: string): CloudRefusal {
  const { namespace, name } = event.metadata;
  return {
    by,
    group,
    ...kindAndWords(event.message.replace(failedGroup, '').replace(/^NodeClaim \S{1,253} event: /u, '')),
    at: event.lastSeen ?? '',
    object: { kind: 'Event', namespace, name },
    field: 'message',
  };
}

function kindAndWords(words: string): Pick<CloudRefusal, 'kind' | 'said'> {
  const said = boundText(words, 300);
  return { kind: cloudRefusalKindOf(words), said };
}

/**
 * Why a cloud gives no node. A kind is what the reasons of several clouds mean; `other` is a reason of no
 * known kind, which is quoted all the same.
 */
export const cloudRefusalKinds = [
  'addresses',
  'quota',
  'unauthorised',
  'stock-out',
  'unsupported',
  'other',
] as const;
export type CloudRefusalKind = (typeof cloudRefusalKinds)[number];

/** A reason that is longer is cut. */
const searched = 4000;

/**
 * The first row that matches decides: an address or a quota that is used up is often called a lack of
 * capacity too. Codes are those of EC2, Compute Engine and Azure Compute; words are what cluster-autoscaler
 * and Karpenter make of them.
 */
const rows: readonly { readonly kind: CloudRefusalKind; readonly says: RegExp }[] = [
  {
    kind: 'addresses',
    says: /InsufficientFreeAddresses|enough free addresses|IP[_ ]SPACE[_ ]EXHAUSTED|IP space of|SubnetIsFull|enough capacity for \d{1,9} IP/iu,
  },
  {
    kind: 'unauthorised',
    says: /Unauthori[sz]ed|AccessDenied|not authori[sz]ed|does not have authori[sz]ation|AuthorizationFailed|AuthFailure|PERMISSION(?:S_ERROR|_DENIED)|Required '[\w.]{1,128}' permission|InvalidAuthenticationToken|ExpiredToken|credential[\w ]{0,40}expired|secret keys[^.]{0,80}expired|\b40[13]\b[: ]/iu,
  },
  {
    kind: 'quota',
    says: /quota|(?:vCPU|Instance|SpotInstance|Volume|VolumeType)\w{0,12}LimitExceeded|Max\w{0,24}CountExceeded|more vCPU capacity than your current|LimitExceeded|exceeding (?:approved|your) /iu,
  },
  {
    kind: 'unsupported',
    says: /\bUnsupported\b|(?:is|are) not supported in|Machine type [^:]{0,200} does not exist|invalid machine type|VMSizeNotSupported|size [^:]{0,120}not supported|InvalidParameter/iu,
  },
  {
    kind: 'stock-out',
    says: /Insufficient\w{0,16}Capacity|insufficient capacity|sufficient [\w.-]{0,40} ?capacity|RESOURCE_POOL_EXHAUSTED|enough resources available|out of resources|stock-?out|UnfulfillableCapacity|capacity available|AllocationFailed|AllocationFailure|Overconstrained|SkuNotAvailable|Capacity Restriction|not available in location|instance types were unavailable|sufficient capacity/iu,
  },
];

export function cloudRefusalKindOf(reason: string): CloudRefusalKind {
  const text = reason.slice(0, searched);
  return rows.find(({ says }) => says.test(text))?.kind ?? 'other';
}
