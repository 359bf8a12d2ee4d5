import {
  type AutoscalerStatus,
  autoscalerStatusMap,
  type NodeGroup,
} from '../../../engine/objects/autoscaler-status.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';

/** Whether cluster-autoscaler may add a node to a group. */
export interface NodeGroupAdmission {
  readonly group: NodeGroup;
  /** `full`: at its maximum. `backoff`: not tried for some time after a failed scale-up. */
  readonly state: 'full' | 'backoff' | 'open';
}

/** The autoscaler writes its status in every loop, each 10 seconds by default. */
const freshMs = 5 * 60_000;

/**
 * The status that cluster-autoscaler wrote last; `undefined` where it was not read, or is so old that it may
 * not run.
 */
export function freshAutoscalerStatus(snapshot: Snapshot): AutoscalerStatus | undefined {
  const { namespace, name } = autoscalerStatusMap;
  const map = snapshot.index.objects.ConfigMap.find(
    ({ metadata }) => metadata.namespace === namespace && metadata.name === name,
  );
  const status = map !== undefined && 'autoscaler' in map ? map.autoscaler : undefined;
  if (status === undefined) return undefined;
  const age = nowOf(snapshot) - Date.parse(status.at);
  return age < freshMs && age > -freshMs ? status : undefined;
}

/**
 * Its node groups, those that can grow first. Which pods fit on the nodes of a group is known to the cloud
 * provider alone, so a group that can grow may be no help.
 */
export function nodeGroupAdmissions(snapshot: Snapshot): readonly NodeGroupAdmission[] {
  const groups = freshAutoscalerStatus(snapshot)?.groups ?? [];
  return groups
    .map((group): NodeGroupAdmission => ({ group, state: stateOf(group) }))
    .sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
}

const order: readonly NodeGroupAdmission['state'][] = ['open', 'backoff', 'full'];

function stateOf({ target, max, scaleUp }: NodeGroup): NodeGroupAdmission['state'] {
  if (max > 0 && target >= max) return 'full';
  return scaleUp === 'Backoff' ? 'backoff' : 'open';
}

/**
 * True where its status was read and none of its node groups can grow now. Node auto-provisioning makes
 * groups that are not listed, so its nodes leave that open.
 */
export function isEveryGroupShut(snapshot: Snapshot): boolean {
  const admissions = nodeGroupAdmissions(snapshot);
  return (
    admissions.length > 0 &&
    admissions.every(({ state }) => state !== 'open') &&
    !hasProvisionedGroups(snapshot)
  );
}

function hasProvisionedGroups({ index }: Snapshot): boolean {
  return index.objects.Node.some(({ metadata }) =>
    metadata.labels['cloud.google.com/gke-nodepool']?.startsWith('nap-'),
  );
}

/** The node groups that an order names. */
export function groupsOfOrder(message: string): readonly string[] {
  return [...message.matchAll(orderedGroup)].flatMap(([, name]) => name ?? []);
}

const orderedGroup = /\{([^\s{}]{1,512}) \d{1,9}->\d{1,9} \(max: \d{1,9}\)\}/gu;

/**
 * True where every node group that an order names is in backoff: the order failed (cluster-autoscaler
 * `processors/status/eventing_scale_up_processor.go`, `nodegroupset.ScaleUpInfo`).
 */
export function isOrderInBackoff(snapshot: Snapshot, message: string): boolean {
  const names = groupsOfOrder(message);
  const groups = freshAutoscalerStatus(snapshot)?.groups ?? [];
  return (
    names.length > 0 &&
    names.every((name) => groups.some((group) => group.name === name && group.scaleUp === 'Backoff'))
  );
}
