import { CommandFailure } from './edges/cli/exit-status.js';
import { workloadArgument } from './edges/cli/shared-options.js';
import { type Source, sourceOfRecording } from './edges/cli/sources.js';
import {
  answerCertificate,
  answerCheck,
  answerDiagnosis,
  answerExplanation,
  answerScan,
} from './edges/library/answers.js';
import type {
  Certificate,
  DiagnosisAnswer,
  DiagnosisListAnswer,
  ExplanationAnswer,
  NoCertificate,
  RolloutCheckListAnswer,
} from './edges/library/shapes.js';
import { createCollector } from './edges/recordings/collect-objects.js';
import { takeFlat } from './edges/recordings/read-documents.js';
import { RecordingError } from './edges/recordings/recording-error.js';
import { Language, languages } from './engine/language/language.js';

export type {
  Certificate,
  DiagnosisAnswer as Diagnosis,
  DiagnosisListAnswer as DiagnosisList,
  ExplanationAnswer as SchedulerExplanation,
  NoCertificate,
  RolloutCheckListAnswer as RolloutCheckList,
};

/** Objects of one cluster as the API server or `kubectl get -o json` gives them: single objects and Lists. */
export interface Recorded {
  readonly objects: readonly object[];
  /** RFC 3339; left out: the newest time in the objects. */
  readonly takenAt?: string;
  /** The name of the cluster in answers; left out: `recording`. */
  readonly cluster?: string;
}

export interface AnswerOptions {
  /** Left out: English. */
  readonly language?: 'en' | 'ko';
}

export interface ScopeOptions extends AnswerOptions {
  /** Left out: all namespaces. */
  readonly namespace?: string;
}

/** Objects that cannot be used, a workload that does not exist, or a computation over its limit. */
export class RolloutDoctorError extends Error {
  override readonly name = 'RolloutDoctorError';
}

/**
 * Why one workload is stuck.
 *
 * @param workload `namespace/name` or `namespace/kind/name`, such as `shop/inference`
 * @throws RolloutDoctorError
 */
export function diagnose(
  recorded: Recorded,
  workload: string,
  { language = 'en' }: AnswerOptions = {},
): Promise<DiagnosisAnswer> {
  return orError(() =>
    answerDiagnosis(sourceOf(recorded), workloadArgument([workload], undefined), known(language)),
  );
}

/**
 * What the proof of its deadlock rests on, so that others can compute it again, or why there is none.
 *
 * @throws RolloutDoctorError
 */
export function certify(
  recorded: Recorded,
  workload: string,
  { language = 'en' }: AnswerOptions = {},
): Promise<Certificate | NoCertificate> {
  return orError(() =>
    answerCertificate(sourceOf(recorded), workloadArgument([workload], undefined), known(language)),
  );
}

/** Every workload, worst first. @throws RolloutDoctorError */
export function scan(
  recorded: Recorded,
  { namespace, language = 'en' }: ScopeOptions = {},
): Promise<DiagnosisListAnswer> {
  return orError(() => answerScan(sourceOf(recorded), namespace, known(language)));
}

/**
 * Whether updates complete.
 *
 * @param manifests YAML or JSON, one or several documents
 * @throws RolloutDoctorError
 */
export function check(
  manifests: string,
  recorded: Recorded,
  { namespace, language = 'en' }: ScopeOptions = {},
): Promise<RolloutCheckListAnswer> {
  return orError(() => answerCheck(sourceOf(recorded), manifests, { namespace, language: known(language) }));
}

/** What a message of a scheduler or autoscaler means. @throws RolloutDoctorError for another language */
export function explain(message: string, { language = 'en' }: AnswerOptions = {}): ExplanationAnswer {
  return answerExplanation(message, known(language));
}

function sourceOf({ objects, takenAt, cluster = 'recording' }: Recorded): Source {
  const collector = createCollector();
  for (const [position, object] of objects.entries()) {
    takeFlat(
      asJson(object),
      { object: position + 1 },
      {
        take: (each, place) => collector.take(each, { shown: cluster, place, isOnlyFile: true }),
        lacks: (kinds, place, fault) => collector.lacks(kinds, new RecordingError(cluster, place, fault)),
      },
    );
  }
  return sourceOfRecording({ ...collector.finish(cluster), logs: [] }, cluster, takenAt);
}

/**
 * A copy, since reading shares equal texts and fills in missing uids. JSON makes texts of a client's dates.
 */
function asJson(object: object): unknown {
  try {
    return JSON.parse(JSON.stringify(object));
  } catch (cause) {
    throw new RolloutDoctorError('An object cannot be written as JSON.', { cause });
  }
}

/** A caller without types may name any language. */
function known(language: Language): Language {
  const found = Language.safeParse(language).data;
  if (found === undefined)
    throw new RolloutDoctorError(`The language must be one of ${languages.join(', ')}.`);
  return found;
}

async function orError<Value>(answer: () => Promise<Value>): Promise<Value> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof CommandFailure || error instanceof RecordingError)) throw error;
    throw new RolloutDoctorError(error.message, { cause: error });
  }
}
