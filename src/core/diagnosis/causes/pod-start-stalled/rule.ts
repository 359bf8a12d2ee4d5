import type { Pod } from '../../../cluster/pod.js';
import { nowOf, type Snapshot } from '../../../cluster/snapshot.js';
import { isUnreadNearby } from '../../../cluster/unread.js';
import { workloadKinds } from '../../../cluster/workload.js';
import { refOf } from '../../../remediation/price-of.js';
import { scheduledSince } from '../../../rollout/start-to-ready.js';
import { crashFinding } from '../../crashes/crash-finding.js';
import { detectEach } from '../../crashes/detect-each.js';
import { crashFactsOf } from '../../crashes/facts.js';
import { failingPodsOf } from '../../crashes/failing-pods.js';
import type { FailureGroup } from '../../crashes/failure-group.js';
import { podFailuresIn, podsOf } from '../../crashes/pod-failures-of.js';
import { crash } from '../../crashes/text.js';
import { blamedNode } from '../../finding.js';
import { podNeeds } from '../../needs.js';
import type { Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { PodStartStalledFacts } from './facts.js';
import { state, text } from './text.js';

/**
 * A pod has a node, and no container of it starts, and no event shows why: events live for an hour. What is
 * known is stated in place of a cause. A cause that events show is found instead.
 */
export const podStartStalled: Rule<typeof PodStartStalledFacts> = {
  id: 'pod-start-stalled',
  facts: PodStartStalledFacts,
  text,
  origin: 'surroundings',
  appliesTo: workloadKinds,
  needs: podNeeds,
  supersedes: ['progress-deadline-exceeded'],
  ...detectEach('pod-start-stalled', (examination, failureGroup) => {
    const { snapshot } = examination;
    const { nodes } = failureGroup;
    const { pod, since } = longestOf(snapshot, failureGroup);
    const base = crashFactsOf(failureGroup);
    const done = pod.status.initContainerStatuses.filter(({ state: now }) => now.terminated?.exitCode === 0);
    const facts = {
      stuckSeconds: Math.max(0, (nowOf(snapshot) - since) / 1000),
      since: new Date(since).toISOString(),
      initContainers: pod.spec.initContainers.length,
      initContainersDone: done.length,
      volumes: pod.spec.volumes.map(({ name }) => name),
      neighbours: neighboursOf(snapshot, failureGroup),
    };
    const areEventsRead = !isUnreadNearby(snapshot, 'Event');
    return crashFinding(examination, failureGroup, {
      confidence: 'likely',
      restsOnSilence: true,
      // One stalled pod is no evidence against the node; pods of other workloads in the same state are.
      ...(facts.neighbours.length > 0 ? blamedNode(nodes) : {}),
      facts,
      summary: state('summary', { workload: workloadName(snapshot), nodes }),
      standing: state('standing', { ...failingPodsOf(failureGroup), longest: facts.stuckSeconds }),
      reasoning: [
        crash('where', { pods: base.pods, nodes }),
        state('since', { pod: pod.metadata.name, since: facts.since }),
        ...(facts.initContainers === 0
          ? []
          : [state('init', { done: facts.initContainersDone, of: facts.initContainers })]),
        ...(areEventsRead ? [state('no-events')] : []),
        ...(facts.volumes.length === 0 ? [] : [state('volumes', { volumes: facts.volumes })]),
        ...(facts.neighbours.length === 0 ? [] : [state('neighbours', { pods: facts.neighbours })]),
      ],
      evidence: [
        {
          object: refOf(pod),
          field: 'status.conditions[PodScheduled]',
          value: pod.spec.nodeName ?? '',
          at: facts.since,
          says: state('ev-bound'),
        },
      ],
      ruledOut: [
        { cause: 'unsatisfiable-placement', because: crash('because-has-node') },
        { cause: 'application-crash', because: state('because-never-started') },
      ],
      withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
      advice: [
        {
          title: state('advice-title', { nodes }),
          text: state('advice'),
          snippet: nodes
            .slice(0, 3)
            .map((node) => `kubectl get pods -A -o wide --field-selector spec.nodeName=${node}\n`)
            .join(''),
        },
      ],
    });
  }),
};

function longestOf(
  snapshot: Snapshot,
  { podFailures: [first, ...others] }: FailureGroup,
): { readonly pod: Pod; readonly since: number } {
  const sinceOf = (pod: Pod): number => scheduledSince(pod) ?? nowOf(snapshot);
  const pod = others.reduce(
    (longest, each) => (sinceOf(each.pod) < sinceOf(longest) ? each.pod : longest),
    first.pod,
  );
  return { pod, since: sinceOf(pod) };
}

/** Pods of other workloads on these nodes in the same state. */
function neighboursOf(snapshot: Snapshot, { nodes }: FailureGroup): readonly string[] {
  const own = new Set(podsOf(snapshot).map(({ metadata }) => metadata.uid));
  return nodes
    .flatMap((name) => snapshot.index.podsByNode.get(name) ?? [])
    .filter(
      (pod) =>
        !own.has(pod.metadata.uid) &&
        podFailuresIn(snapshot, pod).some(({ cause }) => cause === 'pod-start-stalled'),
    )
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
    .sort();
}
