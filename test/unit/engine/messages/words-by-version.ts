import type { MessageReasonId } from '#src/engine/messages/scheduler-message.js';

/**
 * Words of kube-scheduler for one node's refusal, with the minor versions that use them (read from their
 * sources).
 */
export interface Words {
  readonly reason: MessageReasonId;
  readonly text: string;
  readonly detail?: string;
  readonly since: number;
  readonly until: number;
}

const FIRST = 18;
const LAST = 37;

const always = (reason: MessageReasonId, text: string, detail?: string): Words => ({
  reason,
  text,
  since: FIRST,
  until: LAST,
  ...(detail === undefined ? {} : { detail }),
});

const within = (since: number, until: number, words: Words): Words => ({ ...words, since, until });

export const versions = Array.from({ length: LAST - FIRST + 1 }, (_, index) => FIRST + index);

/** Every reason of a Filter plugin that a histogram may hold, for a taint and a resource. */
export function nodeWords(
  minor: number,
  taint: { readonly key: string; readonly value: string },
  resource: string,
): readonly Words[] {
  const named = taint.value === '' ? taint.key : `${taint.key}: ${taint.value}`;
  const braces = `{${taint.key}: ${taint.value}}`;
  return [
    within(18, 19, always('node-affinity', "node(s) didn't match node selector")),
    within(20, 20, always('node-affinity', "node(s) didn't match Pod's node affinity")),
    within(21, LAST, always('node-affinity', "node(s) didn't match Pod's node affinity/selector")),
    within(20, LAST, always('node-affinity', "node(s) didn't match scheduler-enforced node affinity")),
    within(18, 20, always('node-affinity', "node(s) didn't match the requested hostname")),
    within(21, LAST, always('node-affinity', "node(s) didn't match the requested node name")),
    within(18, 23, always('taint', `node(s) had taint ${braces}, that the pod didn't tolerate`, named)),
    within(24, 33, always('taint', `node(s) had untolerated taint ${braces}`, named)),
    within(34, LAST, always('taint', 'node(s) had untolerated taint(s)')),
    always('cordoned', 'node(s) were unschedulable'),
    always('host-port', "node(s) didn't have free ports for the requested pod ports"),
    within(18, 20, always('pod-affinity', "node(s) didn't match pod affinity/anti-affinity")),
    within(21, 21, always('pod-affinity', "node(s) didn't match pod affinity/anti-affinity rules")),
    always('pod-affinity', "node(s) didn't match pod affinity rules"),
    always('pod-affinity', "node(s) didn't match pod anti-affinity rules"),
    always('pod-affinity', "node(s) didn't satisfy existing pods anti-affinity rules"),
    always('topology-spread', "node(s) didn't match pod topology spread constraints"),
    within(
      19,
      LAST,
      always(
        'topology-spread',
        "node(s) didn't match pod topology spread constraints (missing required label)",
      ),
    ),
    within(18, 32, always('volume-affinity', 'node(s) had volume node affinity conflict')),
    within(33, LAST, always('volume-affinity', "node(s) didn't match PersistentVolume's node affinity")),
    always('volume-zone', 'node(s) had no available volume zone'),
    always('no-pv', "node(s) didn't find available persistent volumes to bind"),
    within(19, LAST, always('no-pv', 'node(s) did not have enough free storage')),
    within(20, 22, always('lost-pv', 'pvc(s) bound to non-existent pv(s)')),
    within(
      23,
      LAST,
      always('lost-pv', 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)'),
    ),
    always('max-volumes', 'node(s) exceed max volume count'),
    within(
      22,
      33,
      always(
        'rwop',
        'node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode',
      ),
    ),
    within(
      34,
      LAST,
      always(
        'rwop',
        'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
      ),
    ),
    always('pods', 'Too many pods'),
    always('cpu', 'Insufficient cpu', 'cpu'),
    always('memory', 'Insufficient memory', 'memory'),
    always('ephemeral-storage', 'Insufficient ephemeral-storage', 'ephemeral-storage'),
    always('extended-resource', `Insufficient ${resource}`, resource),
    within(26, LAST, always('dra', 'resourceclaim not available on the node')),
    within(31, LAST, always('dra', 'cannot allocate all claims')),
    within(28, 31, always('plugin', 'node is filtered out by the prefilter result')),
    within(32, LAST, always('plugin', "node(s) didn't satisfy plugin(s) [NodeAffinity]", 'NodeAffinity')),
    within(
      36,
      LAST,
      always('plugin', "node(s) didn't match Pod's required features", 'NodeDeclaredFeatures'),
    ),
  ].filter(({ since, until }) => since <= minor && minor <= until);
}
