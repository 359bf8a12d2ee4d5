import { conditionOf } from '../../../cluster/metadata.js';
import { isTerminating, type Pod } from '../../../cluster/pod.js';
import type { Container } from '../../../cluster/pod-spec.js';
import { nowOf, type Snapshot } from '../../../cluster/snapshot.js';
import { isUnrecorded } from '../../../cluster/unread.js';
import { workloadKinds } from '../../../cluster/workload.js';
import { inRole } from '../../../language/statement.js';
import { redact } from '../../../redaction/redact.js';
import { refOf } from '../../../remediation/price-of.js';
import { podsOf } from '../../crashes/pod-failures-of.js';
import { crash } from '../../crashes/text.js';
import { unreadStatements } from '../../crashes/unread.js';
import { podNeeds } from '../../needs.js';
import { readinessOf } from '../../readiness-of.js';
import type { Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { TerminationGraceExceededFacts } from './facts.js';
import { state, text } from './text.js';

/** The kubelet needs a moment beyond the grace period to kill, clean up and report. */
const slackSeconds = 60;

/**
 * A pod has been stopping for longer than it was given, on a node whose kubelet is at work and without a
 * finalizer: its processes do not end. (A dead node and finalizers are `stuck-terminating`.)
 */
export const terminationGraceExceeded: Rule<typeof TerminationGraceExceededFacts> = {
  id: 'termination-grace-exceeded',
  facts: TerminationGraceExceededFacts,
  text,
  origin: 'surroundings',
  appliesTo: workloadKinds,
  needs: podNeeds,
  supersedes: ['progress-deadline-exceeded'],
  detect({ snapshot }) {
    const late = podsOf(snapshot).filter((pod) => overdueSeconds(snapshot, pod) > slackSeconds);
    const [pod] = late.filter(
      (each) => isOnReadyNode(snapshot, each) && each.metadata.finalizers.length === 0,
    );
    if (pod === undefined) return undefined;
    const facts = {
      pod: pod.metadata.name,
      graceSeconds: graceOf(pod),
      overdueSeconds: overdueSeconds(snapshot, pod),
      latePods: late.map((each) => each.metadata.name),
      preStop: hooksOf(pod),
      message: reportOf(snapshot, pod),
    };
    const { graceSeconds, message } = facts;
    const node = pod.spec.nodeName ?? '';
    const ready = readinessOf(snapshot);
    const areFinalizersKnown = !isUnrecorded(snapshot, 'Pod', 'metadata.finalizers');
    return {
      // A finalizer that was not recorded may keep the pod as well.
      confidence: areFinalizersKnown ? 'likely' : 'possible',
      severity: 'warning',
      nodes: [node],
      holders: [refOf(pod)],
      facts,
      summary: state('summary', { workload: workloadName(snapshot), graceSeconds }),
      standing: state('standing', { pods: facts.latePods }),
      reasoning: [
        state('overdue', { pod: facts.pod, node, overdueSeconds: facts.overdueSeconds }),
        ...(message === undefined ? [] : [state('grace-event', { message })]),
        ...(facts.preStop.length === 0
          ? isUnrecorded(snapshot, 'Pod', 'spec.containers[].lifecycle')
            ? []
            : [state('no-pre-stop')]
          : facts.preStop.map((hook) => state('pre-stop', hook))),
        state('holds-up'),
        inRole('readiness', crash('served', { ready: ready.pods, wanted: ready.wanted })),
      ],
      evidence: [
        {
          object: refOf(pod),
          field: 'metadata.deletionTimestamp',
          value: pod.metadata.deletionTimestamp ?? '',
          at: pod.metadata.deletionTimestamp,
          says: state('ev-deleted', { graceSeconds }),
        },
      ],
      ruledOut: [
        ...(areFinalizersKnown
          ? [{ cause: 'stuck-terminating', because: state('because-no-finalizer') }]
          : []),
        { cause: 'node-not-ready', because: state('because-node-ready', { node }) },
      ],
      advice: [
        {
          title: state('advice-title'),
          text: state('advice'),
          snippet: `spec:\n  template:\n    spec:\n      terminationGracePeriodSeconds: ${Math.max(60, graceSeconds * 2)}\n`,
        },
      ],
      weakenedBy: unreadStatements(snapshot),
    };
  },
};

function graceOf({ metadata, spec }: Pod): number {
  return metadata.deletionGracePeriodSeconds ?? spec.terminationGracePeriodSeconds;
}

/** Beyond its time, in seconds; the API server sets `deletionTimestamp` to the end of the grace period. */
function overdueSeconds(snapshot: Snapshot, pod: Pod): number {
  if (!isTerminating(pod) || (pod.spec.nodeName ?? '') === '') return 0;
  const due = Date.parse(pod.metadata.deletionTimestamp ?? '');
  return Number.isNaN(due) ? 0 : (nowOf(snapshot) - due) / 1000;
}

function isOnReadyNode({ index }: Snapshot, pod: Pod): boolean {
  const node = index.nodes.get(pod.spec.nodeName ?? '');
  return node !== undefined && conditionOf(node.status, 'Ready')?.status === 'True';
}

function reportOf({ index }: Snapshot, pod: Pod): string | undefined {
  return (index.eventsByUid.get(pod.metadata.uid) ?? []).findLast(({ reason }) =>
    ['ExceededGracePeriod', 'FailedKillPod', 'FailedPreStopHook'].includes(reason),
  )?.message;
}

function hooksOf({ spec }: Pod) {
  return spec.containers.flatMap((container) => {
    const what = hookOf(container);
    return what === undefined ? [] : [{ container: container.name, what }];
  });
}

function hookOf({ lifecycle }: Container): string | undefined {
  const preStop = lifecycle?.preStop;
  if (preStop === undefined) return undefined;
  if (preStop.sleep !== undefined) return `sleep ${preStop.sleep.seconds}`;
  if (preStop.httpGet !== undefined) return `GET :${preStop.httpGet.port}${preStop.httpGet.path}`;
  return redact((preStop.exec?.command ?? []).join(' '));
}
