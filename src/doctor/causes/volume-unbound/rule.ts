import * as z from 'zod';
import type { Statement } from '../../../engine/language/statement.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import { hasNode, isActive, type Pod, refOf } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { unreadOf } from '../../../engine/objects/unread.js';
import { hasDeploymentStrategy, workloadKinds } from '../../../engine/objects/workload.js';
import { newestUidOf } from '../../../engine/workloads/revisions.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { type FactsOf, fact } from '../../findings/facts.js';
import { type Advice, type Evidence, eventEvidence, type RuledOut } from '../../findings/finding.js';
import { readinessOf } from '../../findings/readiness-of.js';
import type { Detected, Examination, Rule } from '../../findings/rule.js';
import { podNeeds } from '../../findings/rule.js';
import { refusedSince, workloadName } from '../../findings/stuck-rollout.js';
import { waiting } from '../../findings/waiting/text.js';
import type { NotRecommended } from '../../fixes/remediation.js';
import { type ClaimTrouble, claimTroublesOf, type Trouble } from './claim-trouble.js';
import { claimSnippet, defaultSnippet, state, text } from './text.js';

const VolumeUnboundFacts = z.strictObject({
  pods: fact.names('Pods that wait for a volume'),
  claim: fact.text('Name of the claim; absent where claims could not be read').optional(),
  otherClaims: fact.names('Other claims that have no volume'),
  size: fact.quantity('Storage that the claim requests').optional(),
  isConfirmed: fact.flag('The scheduler or the volume binder reports the same'),
  trouble: z
    .strictObject({
      kind: fact.oneOf(
        [
          'missing',
          'deleting',
          'not-owned',
          'lost',
          'named',
          'class-missing',
          'no-class',
          'no-volume',
          'provisioning-failed',
          'silent',
          'said',
        ],
        'What keeps the claim from a volume; `said`: only the scheduler reports it',
      ),
      ephemeral: fact.flag('The claim belongs to the pod').optional(),
      quotas: fact.names('Quotas that allow no further claim of its namespace').optional(),
      since: fact.time('When the claim was deleted').optional(),
      owner: fact.text('What the claim was made for, as `Kind/name`').optional(),
      volume: fact.text('The PersistentVolume that the claim names').optional(),
      lacks: fact.names('Why this volume is not bound; absent where it does not exist').optional(),
      className: fact.text('Name of the StorageClass').optional(),
      known: fact.names('StorageClasses that exist').optional(),
      near: z
        .array(
          z.strictObject({
            volume: fact.text('Name of the PersistentVolume'),
            lacks: fact.names('Why it is not bound'),
          }),
        )
        .describe('Volumes that come closest')
        .optional(),
      onNodes: fact.flag('There are such volumes, and none can be used where the pod may run').optional(),
      provisioner: fact.text('The provisioner of the class').optional(),
      message: fact.text('What the provisioner or the scheduler reports').optional(),
      seconds: fact.seconds('How long the provisioner has not answered').optional(),
      hasBegun: fact.flag('The provisioner has begun to make the volume').optional(),
      node: fact
        .text('The node that the scheduler chose, and binds the pod to once it has its volume')
        .optional(),
    })
    .describe('The trouble of the first claim; which fields it has depends on `kind`'),
});

/**
 * A pod waits because a claim of it is missing, lost, being deleted or not bound, for a reason that does not
 * go away by waiting. A claim that waits for its first consumer, or whose volume is being made, is not meant.
 */
export const volumeUnbound: Rule<typeof VolumeUnboundFacts> = {
  id: 'volume-unbound',
  facts: VolumeUnboundFacts,
  text,
  origin: 'template',
  appliesTo: workloadKinds,
  needs: [
    ...podNeeds,
    'PersistentVolumeClaim',
    'PersistentVolume',
    'StorageClass',
    'ResourceQuota',
    'HorizontalPodAutoscaler',
  ],
  supersedes: ['progress-deadline-exceeded', 'fragile-strategy'],
  detect(examination) {
    const troubles = unplacedPods(examination.snapshot).flatMap((pod) => claimTroublesOf(examination, pod));
    const [first, ...rest] = troubles;
    return first === undefined ? undefined : findingOf(examination, [first, ...rest]);
  },
};

/** More of them wait for the same. */
const most = 30;

function unplacedPods(snapshot: Snapshot): readonly Pod[] {
  const rollout = rolloutStateOf(snapshot);
  const unplaced = rollout.pods.filter(
    (pod) => isActive(pod) && !hasNode(pod) && pod.spec.schedulingGates.length === 0,
  );
  const newest = hasDeploymentStrategy(rollout) ? newestUidOf(rollout) : undefined;
  const isNew = (pod: Pod) => pod.metadata.ownerReferences.some(({ uid }) => uid === newest);
  return [...unplaced.filter(isNew), ...unplaced.filter((pod) => !isNew(pod))].slice(0, most);
}

function findingOf(
  examination: Examination,
  troubles: readonly [ClaimTrouble, ...ClaimTrouble[]],
): Detected<typeof VolumeUnboundFacts> {
  const { snapshot } = examination;
  const [first] = troubles;
  const ready = readinessOf(snapshot);
  const facts: Facts = {
    pods: [...new Set(troubles.map(({ pod }) => pod.metadata.name))],
    claim: first.name === '' ? undefined : first.name,
    otherClaims: [...new Set(troubles.map(({ name }) => name))].filter((name) => name !== first.name),
    size: first.claim?.spec.resources?.requests.storage,
    isConfirmed: first.confirmed,
    trouble: troubleFacts(first.trouble),
  };
  const weakenedBy = weakeningOf(snapshot, first);
  return {
    confidence: weakenedBy.length === 0 ? 'proven' : 'likely',
    ...(first.name === '' ? {} : { resource: 'PersistentVolumeClaim' }),
    facts,
    summary: summaryOf(snapshot, first),
    standing: state('standing', { ready: ready.pods, wanted: ready.wanted }),
    reasoning: reasoningOf(first, facts),
    evidence: evidenceOf(first),
    ruledOut: ruledOutOf(first),
    nextAttempt: { what: state(nodeChosenFor(first) === undefined ? 'next-attempt' : 'next-attempt-chosen') },
    withheld: notRecommendedFor(first),
    advice: adviceFor(first),
    weakenedBy,
  };
}

function summaryOf(snapshot: Snapshot, { name: claim, trouble }: ClaimTrouble): Statement {
  const workload = workloadName(snapshot);
  switch (trouble.kind) {
    case 'said':
      return state('summary-said', { workload });
    case 'missing':
      return state('summary-missing', { workload, claim });
    case 'lost':
      return state('summary-lost', { workload, claim });
    default:
      return state('summary-unbound', { workload, claim });
  }
}

function weakeningOf(snapshot: Snapshot, { trouble, confirmed }: ClaimTrouble): readonly Statement[] {
  if (trouble.kind === 'said') {
    const unread = unreadOf(snapshot, 'PersistentVolumeClaim');
    return [state('claims-unread', { because: unread?.because ?? 'failed' })];
  }
  return confirmed ? [] : [state('unconfirmed')];
}

type Facts = FactsOf<typeof VolumeUnboundFacts>;

function troubleFacts(trouble: Trouble): Facts['trouble'] {
  switch (trouble.kind) {
    case 'said':
      return { kind: 'said', message: trouble.text };
    case 'missing':
      return {
        kind: trouble.kind,
        ephemeral: trouble.ephemeral,
        ...(trouble.quotas.length === 0 ? {} : { quotas: trouble.quotas }),
      };
    case 'provisioning-failed':
      return { kind: trouble.kind, provisioner: trouble.provisioner, message: trouble.event.message };
    default:
      return trouble;
  }
}

function reasoningOf(first: ClaimTrouble, { pods, otherClaims, size }: Facts): readonly Statement[] {
  return [
    state(nodeChosenFor(first) === undefined ? 'waits' : 'waits-for-claim', {
      pod: first.pod.metadata.name,
      waiting: pods.length,
    }),
    ...troubleStatements(first, size ?? ''),
    ...(otherClaims.length === 0 ? [] : [state('also', { claims: otherClaims })]),
  ];
}

function troubleStatements({ name: claim, pod, trouble }: ClaimTrouble, size: string): readonly Statement[] {
  switch (trouble.kind) {
    case 'missing':
      return [
        trouble.ephemeral
          ? state('missing-ephemeral', { claim })
          : state('missing', { claim, namespace: pod.metadata.namespace }),
        ...(trouble.quotas.length === 0 ? [] : [state('quota-used-up', { quotas: trouble.quotas })]),
      ];
    case 'deleting':
      return [state('deleting', { claim, since: trouble.since })];
    case 'not-owned':
      return [state('not-owned', { claim, pod: pod.metadata.name, owner: trouble.owner })];
    case 'lost':
      return [state('lost', { claim, volume: trouble.volume })];
    case 'named': {
      const { volume, lacks } = trouble;
      return lacks === undefined
        ? [state('named-missing', { claim, volume })]
        : [state('named', { claim, volume }), state('near', { volume, lacks })];
    }
    case 'class-missing':
      return [state('class-missing', { claim, className: trouble.className, known: trouble.known })];
    case 'no-class':
      return [state('no-class', { claim }), ...trouble.near.map((near) => state('near', { ...near }))];
    case 'no-volume': {
      const { className, near, onNodes } = trouble;
      if (onNodes) return [state('no-volume-on-nodes', { claim, className })];
      return [
        state('no-volume', { claim, className, size }),
        ...near.map((volume) => state('near', { ...volume })),
      ];
    }
    case 'provisioning-failed':
      return [
        state('provisioning-failed', {
          claim,
          provisioner: trouble.provisioner,
          message: trouble.event.message,
        }),
      ];
    case 'silent': {
      const { provisioner, seconds, hasBegun, node } = trouble;
      return [
        ...(node === undefined ? [] : [state('chosen', { node })]),
        state(hasBegun ? 'unfinished' : 'silent', { claim, provisioner, seconds }),
      ];
    }
    case 'said':
      return [state('said', { text: trouble.text })];
  }
}

function evidenceOf({ pod, name, claim, trouble }: ClaimTrouble): readonly Evidence[] {
  const scheduled = conditionOf(pod.status, 'PodScheduled');
  const since = refusedSince(pod);
  const event = trouble.kind === 'provisioning-failed' ? trouble.event : undefined;
  return [
    ...(scheduled === undefined
      ? []
      : [
          {
            object: refOf(pod),
            field: 'status.conditions[PodScheduled]',
            value: scheduled.message,
            at: since,
            says: state('ev-unschedulable', { pod: pod.metadata.name }),
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
            field: 'status.phase',
            value: claim.status.phase,
            at: claim.metadata.creationTimestamp,
            says: state('ev-claim', { claim: name }),
          },
        ]),
    ...eventEvidence(event, state('ev-event', { claim: name })),
  ];
}

function nodeChosenFor({ trouble }: ClaimTrouble): string | undefined {
  return trouble.kind === 'silent' ? trouble.node : undefined;
}

function ruledOutOf(first: ClaimTrouble): readonly RuledOut[] {
  const { pod, name } = first;
  const node = nodeChosenFor(first);
  const placed = node === undefined ? state('because-before-nodes') : state('because-node-chosen', { node });
  return [
    ...(name === '' || node !== undefined
      ? []
      : [{ cause: 'mere waiting', because: state('because-not-waiting', { claim: name }) }]),
    { cause: 'surge-deadlock', because: placed },
    { cause: 'insufficient-capacity', because: placed },
    ...(node === undefined ? [] : [{ cause: 'preempted', because: placed }]),
    { cause: 'volume-attach-deadlock', because: state('because-no-node-yet', { pod: pod.metadata.name }) },
    { cause: 'scheduling-gated', because: waiting('because-no-gates') },
  ];
}

function notRecommendedFor({ name: claim }: ClaimTrouble): readonly NotRecommended[] {
  const patch: NotRecommended = { kind: 'patch-strategy', because: state('patch-withheld') };
  if (claim === '') return [patch];
  return [
    { kind: 'restart-rollout', because: state('restart-withheld', { claim }) },
    { kind: 'delete-pod', because: state('delete-withheld', { claim }) },
    patch,
  ];
}

/** What gives the claim its volume. */
function adviceFor({ name, claim, pod, trouble }: ClaimTrouble): readonly Advice[] {
  const { namespace } = pod.metadata;
  switch (trouble.kind) {
    case 'missing':
      if (trouble.ephemeral) {
        const { quotas } = trouble;
        return [
          quotas.length === 0
            ? { title: state('advice-ephemeral-title'), text: state('advice-ephemeral', { claim: name }) }
            : { title: state('advice-quota-title'), text: state('advice-quota', { quotas }) },
        ];
      }
      return [
        {
          title: state('advice-create-title'),
          text: state('advice-create', { claim: name }),
          snippet: claimSnippet(namespace, name),
        },
      ];
    case 'deleting':
      return [{ title: state('advice-deleting-title'), text: state('advice-deleting', { claim: name }) }];
    case 'not-owned':
      return [{ title: state('advice-owner-title'), text: state('advice-owner', { claim: name }) }];
    case 'lost':
      return [
        {
          title: state('advice-lost-title'),
          text: state('advice-lost', { claim: name, volume: trouble.volume }),
        },
      ];
    case 'named': {
      const { volume, lacks } = trouble;
      if (lacks?.length === 1 && lacks[0] === 'released') return [releaseAdvice(volume)];
      return [{ title: state('advice-volume-title'), text: state('advice-volume', { claim: name }) }];
    }
    case 'class-missing':
      return [{ title: state('advice-class-title'), text: state('advice-class', { claim: name }) }];
    case 'no-class':
      return [
        { title: state('advice-default-title'), text: state('advice-default'), snippet: defaultSnippet },
      ];
    case 'no-volume': {
      const released = trouble.near.find(({ lacks }) => lacks.length === 1 && lacks[0] === 'released');
      return [
        ...(released === undefined ? [] : [releaseAdvice(released.volume)]),
        { title: state('advice-volume-title'), text: state('advice-volume', { claim: name }) },
      ];
    }
    case 'provisioning-failed':
    case 'silent':
      return [
        {
          title: state('advice-provisioner-title'),
          text: state('advice-provisioner', { provisioner: trouble.provisioner }),
          snippet: `kubectl -n ${namespace} describe pvc ${claim?.metadata.name ?? name}\n`,
        },
      ];
    case 'said':
      return [];
  }
}

function releaseAdvice(volume: string): Advice {
  return {
    title: state('advice-released-title', { volume }),
    text: state('advice-released', { volume }),
    snippet: `kubectl patch pv ${volume} --type json -p '[{"op": "remove", "path": "/spec/claimRef"}]'\n`,
  };
}
