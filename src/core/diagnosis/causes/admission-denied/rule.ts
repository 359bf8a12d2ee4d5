import type { Snapshot } from '../../../cluster/snapshot.js';
import { workloadKinds } from '../../../cluster/workload.js';
import {
  type FailedCreation,
  failedCreationsOf,
  failingForSeconds,
} from '../../../creation/failed-creation.js';
import { longestRetrySeconds } from '../../../creation/retry.js';
import type { Statement } from '../../../language/statement.js';
import type { NotRecommended } from '../../../remediation/remediation.js';
import type { Confidence } from '../../cause-id.js';
import { creationFactsOf } from '../../creation/facts.js';
import { creation } from '../../creation/text.js';
import type { FactsOf } from '../../facts.js';
import type { Evidence, Fixes } from '../../finding.js';
import { creationNeeds } from '../../needs.js';
import { readinessOf } from '../../readiness-of.js';
import { rollBackOf } from '../../roll-back.js';
import type { Detected, Examination, Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { type Confirmation, confirmationsOf } from './confirmation.js';
import { AdmissionDeniedFacts } from './facts.js';
import { adviceOn, type Refused, refusalStatement, refusedBy } from './telling.js';
import { state, text } from './text.js';

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
  const ranges = confirmations
    .filter(({ object }) => object.kind === 'LimitRange')
    .map(({ object }) => object.name);
  const facts: FactsOf<typeof AdmissionDeniedFacts> = {
    ...creationFactsOf(snapshot, failed),
    refusal: refused,
    confirmedBy: confirmations.map(({ object }) => `${object.kind}/${object.name}`),
    limitRanges: [...new Set(ranges)],
  };
  return {
    confidence: confidenceOf(refused, confirmations),
    facts,
    followsDeletion: refused.kind === 'namespace-terminating',
    summary: state('summary', {
      workload: workloadName(snapshot),
      missing: facts.missing,
      refuser: facts.refusal.kind,
    }),
    standing: state('standing', {
      forSeconds: facts.failingSeconds,
      ready: ready.pods,
      wanted: ready.wanted,
    }),
    reasoning: [
      state('refused', { owner, missing: facts.missing, what: whatOf(failed) }),
      refusalStatement(refused, namespace, facts.limitRanges),
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
    withheld: [...back.withheld, ...notRecommendedOf(kind === 'Deployment' && ready.pods > 0)],
    advice: adviceOn(refused, snapshot),
    weakenedBy: weakeningOf(confirmations),
  };
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
    return {
      remediations: [],
      withheld: [{ kind: 'undo-rollout', because: state('undo-withheld') }],
    };
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
