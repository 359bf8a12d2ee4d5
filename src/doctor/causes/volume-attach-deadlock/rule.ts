import * as z from 'zod';
import { inRole, type Statement } from '../../../engine/language/statement.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { podNames, qualifiedPodNames, refOf } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { hasGroups } from '../../../engine/objects/workload.js';
import { lacksVolume } from '../../../engine/simulation/create-pod-simulator.js';
import { revisionOf } from '../../../engine/workloads/revisions.js';
import { scheduledSince } from '../../../engine/workloads/start-to-ready.js';
import { deadlockFacts } from '../../findings/deadlock/facts.js';
import { fixesOfKind, oldPodFirstFixes } from '../../findings/deadlock/fixes-of-kind.js';
import { oldPodFirst } from '../../findings/deadlock/lasting-strategy.js';
import type { StableRollout } from '../../findings/deadlock/stable.js';
import { boundedKinds, groupsDoubts, stableRolloutOf } from '../../findings/deadlock/stable-rollout.js';
import { servedStatement } from '../../findings/deadlock/strategy.js';
import { deadlock } from '../../findings/deadlock/text.js';
import { answersAbout, doubtsIn, proofFactsOf, statusLineOf } from '../../findings/escapes/index.js';
import { type FactsOf, fact } from '../../findings/facts.js';
import type { Advice, Evidence, Fixes, RuledOut } from '../../findings/finding.js';
import { eventEvidence, nodeEvidence } from '../../findings/finding.js';
import { podSimulatorOf } from '../../findings/pod-simulator-of.js';
import { rollBackOf } from '../../findings/roll-back.js';
import type { Detected, Examination, Rule } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import { keptUntilReady, partyOf, waitForVolume } from '../../findings/wait-cycle.js';
import { waiting as waitingStatement } from '../../findings/waiting/text.js';
import { nothingOffered } from '../../fixes/offered-fields.js';
import { type HeldVolume, heldVolumeOf, waitsForVolumes } from './held-volume.js';
import { state, text } from './text.js';

const VolumeAttachDeadlockFacts = z.strictObject({
  ...deadlockFacts,
  volume: fact.text('Name of the PersistentVolume'),
  claim: fact.text('Name of its claim, where it could be read').optional(),
  accessModes: fact.names('Access modes of the claim'),
  waitingPod: fact.text('Name of the new pod'),
  waitingNode: fact.text('Its node, to which the volume cannot be attached'),
  alsoUsedBy: fact.names('Pods of others, as `namespace/name`, that use the volume on the same node'),
  isAttachmentSeen: fact.flag('A VolumeAttachment shows where the volume is attached'),
});

/**
 * The new pod has a node and cannot start there, because a volume for one node is attached to another, where
 * old pods of the same workload use it, and the controller keeps those until the new one is ready. The
 * scheduler does not look at attachments (kubernetes `attachdetach/reconciler` alone refuses), so it depends
 * on the node it chose.
 */
export const volumeAttachDeadlock: Rule<typeof VolumeAttachDeadlockFacts> = {
  id: 'volume-attach-deadlock',
  facts: VolumeAttachDeadlockFacts,
  text,
  origin: 'rollout',
  appliesTo: boundedKinds,
  needs: [
    'ReplicaSet',
    'Pod',
    'Node',
    'Event',
    'PersistentVolumeClaim',
    'PersistentVolume',
    'VolumeAttachment',
    'HorizontalPodAutoscaler',
  ],
  supersedes: [
    'mount-failure',
    'sandbox-failure',
    'pod-start-stalled',
    'progress-deadline-exceeded',
    'fragile-strategy',
  ],
  detect(examination) {
    const { snapshot } = examination;
    const rollout = stableRolloutOf(snapshot, (pod) => waitsInVain(snapshot, pod));
    if (rollout === undefined) return undefined;
    for (const pod of rollout.blocked.filter(waitsForVolumes)) {
      const held = heldVolumeOf(snapshot, pod, rollout.holding);
      if (held !== undefined) return findingOf(examination, rollout, held);
    }
    return undefined;
  },
};

/** Known at once: however long it is given, it cannot start while the volume is elsewhere. */
function waitsInVain({ index }: Snapshot, pod: Pod): boolean {
  return waitsForVolumes(pod) && lacksVolume(index, pod, pod.spec.nodeName ?? '', { gone: [], placed: [] });
}

function findingOf(
  examination: Examination,
  rollout: StableRollout,
  held: HeldVolume,
): Detected<typeof VolumeAttachDeadlockFacts> {
  const { snapshot } = examination;
  const since = scheduledSince(held.waiting);
  const { node, waiting, holders } = held;
  const answers = answersAbout(examination, { kind: 'volume', holders, waiting, node });
  const facts = {
    revision: revisionOf(snapshot),
    stuckSeconds: since === undefined ? undefined : Math.max(0, (nowOf(snapshot) - since) / 1000),
    strategy: rollout.strategyFacts,
    ...proofFactsOf('volume', [waiting], answers),
    volume: held.volume,
    claim: held.claim?.metadata.name,
    accessModes: held.claim?.spec.accessModes ?? [],
    waitingPod: held.waiting.metadata.name,
    waitingNode: held.waiting.spec.nodeName ?? '',
    alsoUsedBy: qualifiedPodNames(held.others),
    isAttachmentSeen: held.attachment !== undefined,
  };
  const { workload } = rollout;
  const weakenedBy = [
    ...(hasGroups(workload) ? groupsDoubts(workload) : []),
    ...doubtsIn(answers),
    ...weakeningOf(held, facts),
  ];
  return {
    confidence: weakenedBy.length === 0 ? 'proven' : 'likely',
    severity: 'critical',
    resource: 'ReadWriteOnce',
    nodes: [held.node],
    holders: held.holders.map(refOf),
    facts,
    waitCycle: [
      {
        who: partyOf('new-pod', [held.waiting.metadata.name]),
        waits: waitForVolume(facts.claim || held.volume, held.node),
      },
      keptUntilReady(podNames(held.holders)),
    ],
    summary: state('summary', { workload: workloadName(snapshot), volume: held.volume }),
    standing: statusLineOf(answers, { revision: facts.revision, stillForSeconds: facts.stuckSeconds }),
    reasoning: reasoningOf(snapshot, rollout, held, facts),
    evidence: [...evidenceOf(held), ...rollout.strategyEvidence],
    ruledOut: ruledOutOf(rollout, held),
    nextAttempt: { what: state('next-attempt', { volume: held.volume }) },
    ...remediesFor(examination, rollout, held),
    advice: adviceFor(snapshot, held),
    weakenedBy,
  };
}

type Facts = FactsOf<typeof VolumeAttachDeadlockFacts>;

function weakeningOf(
  { node }: HeldVolume,
  { isAttachmentSeen, volume, alsoUsedBy }: Facts,
): readonly Statement[] {
  return [
    ...(isAttachmentSeen ? [] : [state('attachment-unseen', { volume })]),
    ...(alsoUsedBy.length === 0 ? [] : [state('also-used', { pods: alsoUsedBy, node })]),
  ];
}

function reasoningOf(
  snapshot: Snapshot,
  rollout: StableRollout,
  { node, holders, event }: HeldVolume,
  { volume, claim = '', accessModes: modes, waitingPod: pod, waitingNode: on, alsoUsedBy }: Facts,
): readonly Statement[] {
  return [
    state('waits', { pod, node: on, volume, claim, modes }),
    state('held', { volume, node, pods: podNames(holders) }),
    state('one-node'),
    rollout.strategy,
    ...(alsoUsedBy.length === 0
      ? [inRole('conclusion', state('counterfactual', { pod, node: on, without: podNames(holders) }))]
      : [state('also-used', { pods: alsoUsedBy, node })]),
    ...(event === undefined ? [state('event-gone')] : []),
    servedStatement(snapshot),
  ];
}

function evidenceOf({
  waiting,
  volume,
  claim,
  node,
  holders,
  attachment,
  event,
}: HeldVolume): readonly Evidence[] {
  const ready = conditionOf(waiting.status, 'Ready');
  return [
    {
      object: refOf(waiting),
      field: 'status.containerStatuses[].state.waiting.reason',
      value: waiting.status.containerStatuses[0]?.state.waiting?.reason ?? 'Pending',
      ...(ready?.lastTransitionTime === undefined ? {} : { at: ready.lastTransitionTime }),
      says: state('ev-waiting', { pod: waiting.metadata.name }),
    },
    ...(attachment === undefined
      ? []
      : [
          {
            object: { kind: 'VolumeAttachment', namespace: '', name: attachment.metadata.name },
            field: 'status.attached',
            value: `${attachment.status.attached} (${attachment.spec.nodeName})`,
            at: attachment.metadata.creationTimestamp,
            says: state('ev-attached', { volume, node }),
          },
        ]),
    ...(claim === undefined
      ? []
      : [
          {
            object: {
              kind: 'PersistentVolumeClaim',
              namespace: claim.metadata.namespace,
              name: claim.metadata.name,
            },
            field: 'spec.accessModes',
            value: claim.spec.accessModes.join(', '),
            says: state('ev-modes', { claim: claim.metadata.name }),
          },
        ]),
    ...nodeEvidence(holders, (pod) => state('ev-holder', { pod: pod.metadata.name, volume })),
    ...eventEvidence(event, state('ev-event')),
  ];
}

function ruledOutOf(
  rollout: StableRollout,
  { waiting, volume, claim, node, holders }: HeldVolume,
): readonly RuledOut[] {
  const pod = waiting.metadata.name;
  return [
    { cause: 'mount-failure', because: state('because-attach-first', { volume }) },
    ...(claim === undefined
      ? []
      : [
          {
            cause: 'volume-unbound',
            because: state('because-bound', { claim: claim.metadata.name, volume }),
          },
        ]),
    {
      cause: 'surge-deadlock',
      because: deadlock('because-has-node', { pod, node: waiting.spec.nodeName ?? '' }),
    },
    { cause: 'stuck-terminating', because: deadlock('because-not-leaving', { pods: podNames(holders) }) },
    { cause: 'node-not-ready', because: state('because-node-ready', { node }) },
    { cause: 'crash-loop-after-rollout', because: state('because-never-started', { pod }) },
    {
      cause: 'scale-up-pending',
      because: deadlock('because-old-revision', { pods: rollout.holding.length }),
    },
    { cause: 'rollout-paused', because: deadlock('because-not-paused') },
    { cause: 'slow rollout', because: deadlock('because-fixed-point') },
  ];
}

/** What frees the volume as the engines see it; no other strategy while other pods keep it where it is. */
function remediesFor(
  examination: Examination,
  rollout: StableRollout,
  { waiting, volume, node, others }: HeldVolume,
): Fixes {
  const { index } = examination.snapshot;
  const simulator = podSimulatorOf(
    examination,
    (pod, on, difference) => !lacksVolume(index, pod, on, difference),
  );
  const step = state('then-moves', { volume, node, to: waiting.spec.nodeName ?? '' });
  const { patches, further } = fixesOfKind(examination, rollout.state, simulator, [waiting], {
    step,
    settlesCapacity: true,
  });
  const undo = rollBackOf(examination, { origin: 'rollout', simulator });
  const fixes = oldPodFirstFixes(
    others.length > 0 ? nothingOffered : patches,
    further,
    state('patch-withheld', { node }),
  );
  return {
    remediations: [...fixes.remediations, ...undo.remediations],
    withheld: [
      { kind: 'restart-rollout', because: waitingStatement('restart-withheld') },
      { kind: 'delete-pod', because: state('delete-withheld') },
      ...fixes.withheld,
      ...undo.withheld,
    ],
  };
}

function adviceFor(snapshot: Snapshot, { node }: HeldVolume): readonly Advice[] {
  const snippet = oldPodFirst(snapshot.workload);
  return [
    ...(snippet === undefined
      ? []
      : [
          {
            title: deadlock('advice-lasting-title'),
            text: state('advice-lasting', { workload: workloadName(snapshot) }),
            snippet,
          },
        ]),
    { title: state('advice-shared-title'), text: state('advice-shared') },
    { title: state('advice-attachment-title'), text: state('advice-attachment', { node }) },
  ];
}
