import * as z from 'zod';
import { calledService } from '../../../engine/creation/denial.js';
import {
  type FailedCreation,
  failedCreationsOf,
  failingForSeconds,
  longestRetrySeconds,
  wantedPod,
} from '../../../engine/creation/failed-creation.js';
import { templateOf } from '../../../engine/creation/quota-block.js';
import type { Statement } from '../../../engine/language/statement.js';
import type { Labels } from '../../../engine/objects/label-selector.js';
import { conditionOf, controllerOf, type ObjectRef } from '../../../engine/objects/metadata.js';
import { isActive, isReady, type Pod } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { isUnread } from '../../../engine/objects/unread.js';
import { hasDeploymentStrategy, templatePathOf, workloadKinds } from '../../../engine/objects/workload.js';
import { parseQuantity } from '../../../engine/scheduler/quantity.js';
import { admission } from '../../../engine/workloads/quota-admission.js';
import type { Confidence } from '../../findings/cause-id.js';
import { type FactsOf, fact } from '../../findings/facts.js';
import type { Evidence, Fixes } from '../../findings/finding.js';
import { readinessOf } from '../../findings/readiness-of.js';
import { creation, creationFacts, creationFactsOf } from '../../findings/refused-creation.js';
import { rollBackOf } from '../../findings/roll-back.js';
import type { Detected, Examination, Rule } from '../../findings/rule.js';
import { creationNeeds } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import type { NotRecommended } from '../../fixes/remediation.js';
import type { Refused } from './telling.js';
import { adviceOn, headlineOf, refusalStatement, refusedBy, waysOutOfOwnWebhook } from './telling.js';
import { refuserKinds, state, text } from './text.js';

const AdmissionDeniedFacts = z.strictObject({
  ...creationFacts,
  refusal: z
    .strictObject({
      kind: fact.oneOf(refuserKinds, 'What refuses'),
      level: fact.text('Level of Pod Security').optional(),
      violations: fact.names('What violates the level or the bounds').optional(),
      policy: fact.text('Name of the policy').optional(),
      binding: fact.text('Name of its binding').optional(),
      webhook: fact.text('Name of the webhook').optional(),
      said: fact.text('What the webhook, policy or API server reports').optional(),
      namespace: fact.text('Namespace of the object that is named').optional(),
      name: fact.text('Name of the object that does not exist').optional(),
      scopes: fact.text('Scopes for which the namespace has no quota').optional(),
      quota: fact.text('Name of the ResourceQuota').optional(),
      missing: z
        .array(
          z.strictObject({
            resource: fact.text('Name of the resource'),
            containers: fact.names('Names of the containers'),
          }),
        )
        .describe('Resources that containers must specify')
        .optional(),
      fields: fact.names('Fields that are invalid').optional(),
    })
    .describe('What refuses the pods, read from the message; which fields it has depends on `kind`'),
  confirmedBy: fact.names('Objects that confirm it, as `Kind/name`'),
  limitRanges: fact.names('LimitRanges with the bound that is named'),
  ownService: fact.text('Service of the webhook, whose pods are those that are refused').optional(),
});

/**
 * Pods of the workload are not created because admission refuses them, for another reason than a quota that
 * is used up. The API server's answer is the evidence; where an object that was read agrees with it, the
 * finding is proven.
 */
export const admissionDenied: Rule<typeof AdmissionDeniedFacts> = {
  id: 'admission-denied',
  facts: AdmissionDeniedFacts,
  text,
  origin: 'template',
  appliesTo: workloadKinds,
  needs: [...creationNeeds, 'Namespace'],
  supersedes: ['progress-deadline-exceeded'],
  detect(examination) {
    const { snapshot } = examination;
    for (const failed of failedCreationsOf(snapshot)) {
      const refused = refusedBy(failed.denial);
      if (refused === undefined || mayPass(snapshot, refused, failed)) continue;
      return findingOf(examination, failed, refused);
    }
    return undefined;
  },
};

/** Seconds for which an error that is no refusal is taken to be passing. */
const patienceSeconds = 120;

function mayPass(snapshot: Snapshot, { kind }: Refused, failed: FailedCreation): boolean {
  return kind === 'failed' && (failingForSeconds(snapshot, failed) ?? 0) < patienceSeconds;
}

function findingOf(
  examination: Examination,
  failed: FailedCreation,
  refused: Refused,
): Detected<typeof AdmissionDeniedFacts> {
  const { snapshot } = examination;
  const back = rollBackFrom(examination, refused);
  const { kind, metadata } = snapshot.workload;
  const { namespace } = metadata;
  const ready = readinessOf(snapshot);
  const confirmations = confirmationsOf(snapshot, refused, failed);
  const owner = failed.owner.name;
  const lacking = refused.kind === 'must-specify' ? refused.missing.flatMap((each) => each.containers) : [];
  const added = addedAtAdmission(templateOf(snapshot, failed), lacking);
  const areAllAdded = added.length > 0 && lacking.every((name) => added.includes(name));
  const ranges = confirmations
    .filter(({ object }) => object.kind === 'LimitRange')
    .map(({ object }) => object.name);
  const facts: FactsOf<typeof AdmissionDeniedFacts> = {
    ...creationFactsOf(snapshot, failed),
    refusal: refused,
    confirmedBy: confirmations.map(({ object }) => `${object.kind}/${object.name}`),
    limitRanges: [...new Set(ranges)],
    ownService: confirmations.find(({ object }) => object.kind === 'Service')?.object.name,
  };
  return {
    confidence: confidenceOf(refused, confirmations),
    facts,
    followsDeletion: refused.kind === 'namespace-terminating',
    summary: headlineOf(refused, { workload: workloadName(snapshot), missing: facts.missing }),
    standing: state('standing', {
      forSeconds: facts.failingSeconds,
      ready: ready.pods,
      wanted: ready.wanted,
    }),
    reasoning: [
      state('refused', { owner, missing: facts.missing, what: whatOf(failed) }),
      refusalStatement(refused, namespace, facts.limitRanges),
      ...(added.length === 0 ? [] : [state('added-at-admission', { containers: added })]),
      ...(facts.ownService === undefined ? [] : [state('own-webhook', { service: facts.ownService })]),
      ...(ready.pods > 0 ? [state('serving-old', { ready: ready.pods })] : []),
    ],
    evidence: evidenceOf(failed, confirmations),
    ruledOut: [
      { cause: 'quota-exceeded', because: state('because-no-quota') },
      { cause: 'surge-deadlock', because: creation('because-no-pod', { owner }) },
      { cause: 'insufficient-capacity', because: creation('because-no-pod', { owner }) },
      { cause: 'crash-loop-after-rollout', because: state('because-never-ran') },
    ],
    nextAttempt: { what: state('next-attempt', { owner, withinSeconds: longestRetrySeconds }) },
    remediations: [...back.remediations],
    withheld: [...back.withheld, ...notRecommendedOf(hasDeploymentStrategy({ kind }) && ready.pods > 0)],
    advice: [
      ...(added.length === 0 ? [] : [{ title: state('advice-added-title'), text: state('advice-added') }]),
      ...(areAllAdded
        ? []
        : facts.ownService === undefined
          ? adviceOn(refused, snapshot)
          : waysOutOfOwnWebhook(refused, snapshot)),
    ],
    weakenedBy: weakeningOf(confirmations),
  };
}

/** Those of the containers that the template does not have. */
function addedAtAdmission(
  { spec: { containers, initContainers } }: ReturnType<typeof templateOf>,
  names: readonly string[],
): readonly string[] {
  const own = new Set([...containers, ...initContainers].map(({ name }) => name));
  return [...new Set(names)].filter((name) => !own.has(name)).sort();
}

function confidenceOf({ kind }: Refused, confirmations: readonly Confirmation[]): Confidence {
  if (kind === 'failed') return 'possible';
  return confirmations.length > 0 ? 'proven' : 'likely';
}

function whatOf({ what }: FailedCreation): string {
  return what === 'pod' ? 'Pod' : what === 'claim' ? 'PersistentVolumeClaim' : 'ReplicaSet';
}

function evidenceOf(failed: FailedCreation, confirmations: readonly Confirmation[]): readonly Evidence[] {
  return [
    {
      object: failed.saidBy,
      field: failed.field,
      value: failed.message,
      at: failed.lastSeen,
      says: creation('ev-refused', { owner: failed.owner.name }),
    },
    ...confirmations.map((each): Evidence => ({ ...each, says: state('ev-confirmed') })),
  ];
}

/** What no change of the template cures. */
const notTheTemplate: ReadonlySet<Refused['kind']> = new Set([
  'webhook-unreachable',
  'namespace-terminating',
  'failed',
]);

function rollBackFrom(examination: Examination, { kind }: Refused): Fixes {
  if (notTheTemplate.has(kind)) {
    return { remediations: [], withheld: [{ kind: 'undo-rollout', because: state('undo-withheld') }] };
  }
  return rollBackOf(examination, { origin: 'rollout' });
}

function notRecommendedOf(couldSpare: boolean): readonly NotRecommended[] {
  return [
    { kind: 'restart-rollout', because: state('restart-withheld') },
    ...(couldSpare ? [{ kind: 'patch-strategy' as const, because: state('patch-withheld') }] : []),
  ];
}

function weakeningOf(confirmations: readonly Confirmation[]): readonly Statement[] {
  return confirmations.length > 0 ? [] : [state('only-said')];
}

/** A field of an object that was read and agrees with the refusal: it would be the same now. */
type Confirmation = { readonly object: ObjectRef; readonly field: string; readonly value: string };

/** What the objects themselves say about the refusal; empty where nothing that is read could tell. */
function confirmationsOf(
  snapshot: Snapshot,
  refused: Refused,
  failed: FailedCreation,
): readonly Confirmation[] {
  switch (refused.kind) {
    case 'pod-security':
      return enforcedLevel(snapshot, refused.level);
    case 'limit-range':
      return bounds(snapshot, refused.violations);
    case 'priority-class':
      return missingClass(snapshot, refused.name);
    case 'namespace-terminating':
      return deletedNamespace(snapshot);
    case 'must-specify':
      return refusingQuota(snapshot, failed);
    case 'webhook-unreachable':
      return ownServiceOf(snapshot, failed, refused.said);
    default:
      return [];
  }
}

const enforceLabel = 'pod-security.kubernetes.io/enforce';

function enforcedLevel({ index, workload }: Snapshot, level: string): readonly Confirmation[] {
  const { namespace } = workload.metadata;
  const value = index.objects.Namespace.find(({ metadata }) => metadata.name === namespace)?.metadata.labels[
    enforceLabel
  ];
  if (value === undefined || value !== level.split(':')[0]) return [];
  return [
    {
      object: { kind: 'Namespace', namespace: '', name: namespace },
      field: `metadata.labels[${enforceLabel}]`,
      value,
    },
  ];
}

const boundWords = /^(minimum|maximum) (\S+) usage per (\S+) is (\S+?)[.,](?:\s|$)/;

/** The LimitRanges with the very bound that the refusal names. */
function bounds({ index, workload }: Snapshot, violations: readonly string[]): readonly Confirmation[] {
  const { namespace } = workload.metadata;
  const own = index.objects.LimitRange.filter(({ metadata }) => metadata.namespace === namespace);
  return violations.flatMap((violation) => {
    const [, word, resource, type, bound] = boundWords.exec(violation) ?? [];
    if (resource === undefined || bound === undefined) return [];
    const side = word === 'minimum' ? 'min' : 'max';
    return own.flatMap(({ metadata, spec }): readonly Confirmation[] => {
      const item = spec.limits.find((one) => one.type === type && sameAmount(one[side][resource], bound));
      if (item === undefined) return [];
      return [
        {
          object: { kind: 'LimitRange', namespace, name: metadata.name },
          field: `spec.limits[${item.type}].${side}[${resource}]`,
          value: item[side][resource] ?? '',
        },
      ];
    });
  });
}

function sameAmount(a: string | undefined, b: string): boolean {
  const left = a === undefined ? undefined : parseQuantity(a);
  return left !== undefined && left.nano === parseQuantity(b)?.nano;
}

/** Classes that were read, and this one is not among them. Every cluster has the two system ones. */
function missingClass({ index, workload }: Snapshot, name: string): readonly Confirmation[] {
  const { PriorityClass } = index.objects;
  if (PriorityClass.length === 0 || PriorityClass.some(({ metadata }) => metadata.name === name)) return [];
  const { kind, metadata, spec } = workload;
  if (spec.template.spec.priorityClassName !== name) return [];
  return [
    {
      object: { kind, namespace: metadata.namespace, name: metadata.name },
      field: `${templatePathOf(workload)}.spec.priorityClassName`,
      value: name,
    },
  ];
}

function deletedNamespace({ index, workload }: Snapshot): readonly Confirmation[] {
  const { namespace } = workload.metadata;
  const found = index.objects.Namespace.find(({ metadata }) => metadata.name === namespace);
  const value = found?.metadata.deletionTimestamp;
  if (value === undefined) return [];
  return [
    {
      object: { kind: 'Namespace', namespace: '', name: namespace },
      field: 'metadata.deletionTimestamp',
      value,
    },
  ];
}

/**
 * The Service that the webhook is called by selects the pods that are refused, and none that it selects can
 * become ready: only they could answer.
 */
function ownServiceOf(snapshot: Snapshot, failed: FailedCreation, said: string): readonly Confirmation[] {
  const called = calledService(said);
  const { namespace } = snapshot.workload.metadata;
  if (called === undefined || called.namespace !== namespace || failed.what !== 'pod') return [];
  if (isUnread(snapshot, 'Pod') || hasUnreadPods(snapshot, failed)) return [];
  const { Service, Pod } = snapshot.index.objects;
  const service = Service.find(
    ({ metadata }) => metadata.namespace === namespace && metadata.name === called.name,
  );
  const selector = Object.entries(service?.spec.selector ?? {});
  if (selector.length === 0) return [];
  const isSelected = (labels: Labels): boolean => selector.every(([key, value]) => labels[key] === value);
  const mayAnswer = Pod.some(
    (pod) =>
      pod.metadata.namespace === namespace &&
      isSelected(pod.metadata.labels) &&
      (isReady(pod) || mayStart(snapshot, pod)),
  );
  if (mayAnswer || !isSelected(templateOf(snapshot, failed).metadata.labels)) return [];
  return [
    {
      object: { kind: 'Service', namespace, name: called.name },
      field: 'spec.selector',
      value: selector.map(([key, value]) => `${key}=${value}`).join(','),
    },
  ];
}

/** Whether the owner counts more pods than were read. */
function hasUnreadPods({ index }: Snapshot, { uid }: FailedCreation): boolean {
  const { ReplicaSet, StatefulSet, DaemonSet, Pod } = index.objects;
  const counted =
    [...ReplicaSet, ...StatefulSet].find(({ metadata }) => metadata.uid === uid)?.status.replicas ??
    DaemonSet.find(({ metadata }) => metadata.uid === uid)?.status.currentNumberScheduled ??
    0;
  return Pod.filter(({ metadata }) => controllerOf({ metadata })?.uid === uid).length < counted;
}

/** It exists, so no webhook keeps it from becoming ready. Where no kubelet answers, it does not. */
function mayStart({ index }: Snapshot, pod: Pod): boolean {
  const node = index.nodes.get(pod.spec.nodeName ?? '');
  return isActive(pod) && (node === undefined || conditionOf(node.status, 'Ready')?.status === 'True');
}

/** The quota engine refuses the wanted pod for the same reason. */
function refusingQuota(snapshot: Snapshot, failed: FailedCreation): readonly Confirmation[] {
  const { index, workload } = snapshot;
  const { namespace } = workload.metadata;
  const pod = wantedPod(snapshot, templateOf(snapshot, failed), failed, `${failed.owner.name}-next-1`);
  const outcome = admission(pod, index.objects.ResourceQuota, nowOf(snapshot));
  if (outcome.kind === 'admitted') return [];
  return outcome.refusals.flatMap(({ kind, quota }) => {
    const found = index.objects.ResourceQuota.find(
      ({ metadata }) => metadata.namespace === namespace && metadata.name === quota,
    );
    if (kind !== 'must-specify' || found === undefined) return [];
    const object = { kind: 'ResourceQuota', namespace, name: quota };
    return [{ object, field: 'spec.hard', value: Object.keys(found.spec.hard).join(', ') }];
  });
}
