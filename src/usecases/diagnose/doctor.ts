import type { DeclaredManifest } from '../../core/check/planned-below.js';
import type { RolloutCheck } from '../../core/check/rollout-check.js';
import type { ResourceKind } from '../../core/cluster/cluster-objects.js';
import type { Snapshot } from '../../core/cluster/snapshot.js';
import type { Diagnosis } from '../../core/diagnosis/diagnosis.js';
import type { Change } from '../../core/incident/incident.js';
import type { JudgeInput, Judgement } from '../../core/incident/judge.js';
import type { Plan, Refusal } from '../../core/remediation/plan.js';
import type { Remediation } from '../../core/remediation/remediation.js';
import type { RequestedChange } from '../../core/remediation/requested-change.js';
import type { UndoForecast } from '../../core/requested/forecast-undo.js';

type Awaitable<Value> = Value | Promise<Value>;

/**
 * The pure parts that the use cases call. The processes compute them in threads, since an input may be too
 * large to compute: then the functions throw DoctorError `diagnosis-ended`, or `diagnosis-busy` where no
 * thread was free.
 */
export interface DiagnosisEngine {
  /** Union of the needs of all rules. */
  readonly needs: ReadonlySet<ResourceKind | 'PodLog'>;
  /** @param requested a change that a person asked for; its forecast comes with the diagnosis */
  diagnose(snapshot: Snapshot, requested?: RequestedChange): Awaitable<Diagnosis>;
  plan(remediation: Remediation, snapshot: Snapshot): Awaitable<Plan | Refusal>;
  /** Putting back what the change replaced, if the fields still hold what the change wrote. */
  planUndo(change: Pick<Change, 'remediation' | 'undo'>, snapshot: Snapshot): Awaitable<Plan | Refusal>;
  /** What putting it back would do; `undefined` where the engines see no end. */
  forecastUndo(
    change: Pick<Change, 'remediation' | 'undo'>,
    snapshot: Snapshot,
  ): Awaitable<UndoForecast | undefined>;
  /** Whether a change that people are to be reminded of is still in effect. */
  stands(remediation: Remediation, snapshot: Snapshot): Awaitable<boolean>;
  /** What would become of the workload with this manifest; `undefined` where it can be no workload. */
  check(manifest: DeclaredManifest, snapshot: Snapshot): Awaitable<RolloutCheck | undefined>;
  /** What a fresh diagnosis says about a change; `undefined` verdict: too early to tell. */
  judge(input: JudgeInput): Awaitable<Judgement>;
}
