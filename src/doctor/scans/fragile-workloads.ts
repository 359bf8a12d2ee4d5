import { fragileStrategy } from '../causes/fragile-strategy/rule.js';
import { confidences } from '../findings/cause-id.js';
import type { Diagnosis, UnseenInDiagnosis } from '../findings/diagnosis.js';
import type { Finding } from '../findings/finding.js';
import { conclusionOf } from '../findings/main-finding.js';

/** A workload that is deadlocked now or will be at its next update, and the finding that shows it. */
export interface FragileWorkload {
  readonly workload: Diagnosis['workload'];
  readonly finding: Finding;
}

/** Which workloads of a fleet will deadlock at their next update. */
export interface Fleet {
  /** Proven ones first, then by namespace and name. */
  readonly fragile: readonly FragileWorkload[];
  /** Workloads that were diagnosed. */
  readonly workloads: number;
  /** Workloads of which a rule failed and nothing was found. */
  readonly unchecked: number;
  /** What could not be read, each once. */
  readonly unseen: readonly UnseenInDiagnosis[];
}

/** @param diagnoses of all workloads, in the order of their names within one severity */
export function fleetOf(diagnoses: readonly Diagnosis[]): Fleet {
  const fragile = diagnoses.flatMap(({ workload, findings }) =>
    findings.filter(isDeadlock).map((finding) => ({ workload, finding })),
  );
  const unseen = new Map(
    diagnoses
      .flatMap((diagnosis) => diagnosis.unseen)
      .map((each) => [`${each.what}/${each.namespace}/${each.because}`, each]),
  );
  return {
    fragile: fragile.toSorted((a, b) => rankOf(a) - rankOf(b)),
    workloads: diagnoses.length,
    unchecked: diagnoses.filter((diagnosis) => conclusionOf(diagnosis) === 'unchecked').length,
    unseen: [...unseen.values()],
  };
}

/** A workload that is deadlocked has the same strategy at its next update, and no finding about that one. */
function isDeadlock({ cause, waitCycle }: Finding): boolean {
  return cause === fragileStrategy.id || waitCycle !== undefined;
}

function rankOf({ finding }: FragileWorkload): number {
  return confidences.indexOf(finding.confidence);
}
