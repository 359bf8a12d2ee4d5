import type { ResourceKind } from '../core/cluster/cluster-objects.js';
import type { Snapshot } from '../core/cluster/snapshot.js';
import type { Diagnosis } from '../core/diagnosis/diagnosis.js';
import type { Change } from '../core/incident/incident.js';
import type { JudgeInput, Judgement } from '../core/incident/judge.js';
import type { Plan, Refusal } from '../core/remediation/plan.js';
import type { Remediation } from '../core/remediation/remediation.js';

/** The pure parts that the use cases call; `core/` provides them, tests may narrow them. */
export interface Doctor {
  /** Union of the needs of all rules. */
  readonly needs: ReadonlySet<ResourceKind | 'PodLog'>;
  diagnose(snapshot: Snapshot): Diagnosis;
  plan(remediation: Remediation, snapshot: Snapshot): Plan | Refusal;
  /** Putting back what the change replaced, if the fields still hold what the change wrote. */
  planUndo(change: Change, snapshot: Snapshot): Plan | Refusal;
  /** Whether a change that people are to be reminded of is still in effect. */
  stands(remediation: Remediation, snapshot: Snapshot): boolean;
  /** What a fresh look says about a change; `undefined` verdict: too early to tell. */
  judge(input: JudgeInput): Judgement;
}
