import { hasKarpenter } from '../../engine/objects/karpenter.js';
import { hasNode, type Pod } from '../../engine/objects/pod.js';
import type { ApiCall } from './api-call.js';
import type { Gathering } from './gathering.js';
import { cachedList } from './list-reading.js';
import { listObjects } from './read-objects.js';

/** A cluster has some dozens at most. */
const maxNodePools = 500;

/**
 * Reads Karpenter's NodePools, where a pod waits for a node and other objects show that Karpenter is there. A
 * refused read is noted as unseen and makes no finding less certain: then nothing is known of the limits.
 *
 * @param nodes settles when the nodes are gathered, whose labels may be the only sign of Karpenter
 */
export async function readNodePools(
  gathering: Pick<Gathering, 'list' | 'objects'>,
  pods: readonly Pod[],
  nodes?: Promise<unknown> | readonly unknown[],
): Promise<void> {
  if (pods.every(hasNode)) return;
  await nodes;
  if (!hasKarpenter(gathering.objects())) return;
  await gathering.list('NodePool', { max: maxNodePools });
}

/** Where Events about objects without a namespace are (client-go `tools/record/event.go: makeEvent`). */
const namespaceOfEvents = 'default';
/** Karpenter makes some claims a minute at most, and events expire after an hour. */
const maxClaimEvents = 500;

/**
 * Reads the events of Karpenter's NodeClaims, where a pod waits for a node and there are such claims or
 * events about them: a claim that the cloud refused is deleted, and only its event says why. Without the
 * right to read them nothing is noted: a refusal is then not known, as where its event has expired.
 *
 * @param nodes settles when the nodes are gathered, whose labels may be the only sign of Karpenter
 */
export async function readClaimEvents(
  call: ApiCall,
  gathering: Pick<Gathering, 'keep' | 'objects'>,
  pods: readonly Pod[],
  signal: AbortSignal,
  nodes?: Promise<unknown> | readonly unknown[],
): Promise<void> {
  if (pods.every(hasNode)) return;
  await nodes;
  if (!hasKarpenter(gathering.objects())) return;
  if (pods.some(({ metadata }) => metadata.namespace === namespaceOfEvents)) return;
  const selection = {
    namespace: namespaceOfEvents,
    fieldSelector: 'involvedObject.kind=NodeClaim',
    max: maxClaimEvents,
    reading: cachedList,
  };
  const read = await listObjects(call, 'Event', selection, signal);
  if (read.type !== 'unreadable') gathering.keep('Event', read.value.items);
}
