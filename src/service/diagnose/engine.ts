import type { CauseId } from '../../doctor/findings/cause-id.js';
import type { Diagnosis } from '../../doctor/findings/diagnosis.js';
import { explainPasted } from '../../doctor/findings/messages/explain-pasted.js';
import type { Plan, Refusal } from '../../doctor/fixes/plan.js';
import type { Remediation } from '../../doctor/fixes/remediation.js';
import type { RequestedChange } from '../../doctor/fixes/requested-change.js';
import type { DeclaredManifest } from '../../doctor/forecasts/planned-below.js';
import type { RolloutCheck } from '../../doctor/forecasts/rollout-check.js';
import type { Change } from '../../doctor/incidents/incident.js';
import type { JudgeInput, Judgement } from '../../doctor/incidents/judge.js';
import type { UndoForecast } from '../../doctor/requested/forecast-undo.js';
import type { Tell } from '../../engine/language/catalogue.js';
import type { Language } from '../../engine/language/language.js';
import { type Prose, quote } from '../../engine/language/prose.js';
import type { ResourceKind } from '../../engine/objects/cluster-objects.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';

type Awaitable<Value> = Value | Promise<Value>;

/**
 * The pure parts that the use cases call. The processes compute them in threads, since an input may be too
 * large to compute: then the functions throw DoctorError `diagnosis-ended`, or `diagnosis-busy` where no
 * thread was free.
 */
export interface DiagnosisEngine {
  /** Union of the needs of all rules. */
  readonly needs: ReadonlySet<ResourceKind | 'PodLog'>;
  /**
   * @param requested a change that a person asked for; its forecast comes with the diagnosis
   * @param about only findings of these causes, without a picture; of all causes where it is left out
   */
  diagnose(snapshot: Snapshot, requested?: RequestedChange, about?: readonly CauseId[]): Awaitable<Diagnosis>;
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

/**
 * What was pasted in plain words, for the one who pasted it: the sentence itself, so that the answer can be
 * read alone, then one paragraph a statement. Asks nobody and keeps nothing.
 */
export function explainSentence(sentence: string, tell: Tell, language: Language): readonly Prose[] {
  return [[quote(sentence)], ...explainPasted(sentence).map((statement) => tell(statement, language))];
}
