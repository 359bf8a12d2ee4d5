import { checkSnapshot } from './core/check/check-snapshot.js';
import { checkCatalogueId, text as checkText } from './core/check/text.js';
import type { ResourceKind } from './core/cluster/cluster-objects.js';
import { causes } from './core/diagnosis/causes/causes.js';
import { diagnose } from './core/diagnosis/diagnose.js';
import { familyTexts, movedSentences } from './core/diagnosis/family-texts.js';
import { withForeignNames } from './core/diagnosis/foreign-names.js';
import { knownMessageCatalogueId } from './core/diagnosis/messages/explain-pasted.js';
import { text as knownMessageText } from './core/diagnosis/messages/text.js';
import type { AnyRule } from './core/diagnosis/rule.js';
import { judge } from './core/incident/judge.js';
import { judgeText } from './core/incident/judge-text.js';
import { type AnyCatalogue, type Tell, tellFrom } from './core/language/catalogue.js';
import { withPicture } from './core/picture/with-picture.js';
import { schedulerMessageCatalogueId } from './core/placement/message/explain-scheduler-message.js';
import { text as schedulerMessageText } from './core/placement/message/text.js';
import { effectsText } from './core/remediation/effects-text.js';
import { kindOf } from './core/remediation/kind-of.js';
import { kinds } from './core/remediation/kinds/kinds.js';
import { planningNeeds, planRemediation } from './core/remediation/plan-remediation.js';
import { planUndo } from './core/remediation/plan-undo.js';
import { refusal } from './core/remediation/refusals.js';
import { refusalsText } from './core/remediation/refusals-text.js';
import { forecastUndo } from './core/requested/forecast-undo.js';
import { requestedCatalogueId, requestedText } from './core/requested/text.js';
import { withRequested } from './core/requested/with-requested.js';
import type { DiagnosisEngine } from './usecases/diagnose/doctor.js';
import { gitCatalogue, gitText } from './usecases/git/git-text.js';
import { inspectionCatalogueId } from './usecases/inspect/inspection.js';
import { inspectionText } from './usecases/inspect/inspection-text.js';
import { noticesCatalogue } from './usecases/notices/notices.js';
import { noticesEn } from './usecases/notices/notices-en.js';
import { noticesKo } from './usecases/notices/notices-ko.js';

/** An engine that computes where it is called: for the command line, and for the threads of the processes. */
export type PureEngine = {
  readonly [Key in keyof DiagnosisEngine]: DiagnosisEngine[Key] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Awaited<Result>
    : DiagnosisEngine[Key];
};

/**
 * The pure core as the use cases see it: the causes and all remediation kinds.
 *
 * @param rules the causes, most specific first
 */
export function createEngine(rules: readonly AnyRule[] = causes): PureEngine {
  const needs = new Set<ResourceKind | 'PodLog'>([...rules.flatMap((rule) => rule.needs), ...planningNeeds]);
  return {
    needs,
    diagnose: (snapshot, requested) =>
      withForeignNames(
        withRequested(withPicture(diagnose(snapshot, rules), snapshot), snapshot, requested),
        snapshot,
      ),
    plan: planRemediation,
    planUndo({ remediation, undo }, snapshot) {
      if (undo !== undefined) return planUndo(remediation.id, undo, snapshot);
      const { namespace, name } = snapshot.workload.metadata;
      return refusal('not-applicable', 'not-applicable', { workload: `${namespace}/${name}`, kind: 'undo' });
    },
    forecastUndo: ({ remediation, undo }, snapshot) =>
      undo === undefined ? undefined : forecastUndo(remediation, undo, snapshot),
    stands: (remediation, snapshot) =>
      kindOf(remediation)?.reminder?.isInForce(remediation, snapshot) === true,
    check: checkSnapshot,
    judge,
  };
}

/** Every catalogue of statements that the program makes, by its id. */
export function createCatalogues(rules: readonly AnyRule[] = causes): Readonly<Record<string, AnyCatalogue>> {
  const ofCauses = rules.map(({ id, text }): [string, AnyCatalogue] => [id, text]);
  const ofKinds = kinds.map(({ kind, text }): [string, AnyCatalogue] => [kind, text]);
  return {
    ...Object.fromEntries([...ofCauses, ...ofKinds]),
    ...familyTexts,
    effects: effectsText,
    [noticesCatalogue]: { en: noticesEn, ko: noticesKo },
    [schedulerMessageCatalogueId]: schedulerMessageText,
    [knownMessageCatalogueId]: knownMessageText,
    [checkCatalogueId]: checkText,
    [requestedCatalogueId]: requestedText,
    [inspectionCatalogueId]: inspectionText,
    [gitCatalogue]: gitText,
    refusals: refusalsText,
    verification: judgeText,
  };
}

/** Tells every statement the program can make. */
export function createTell(rules: readonly AnyRule[] = causes): Tell {
  return tellFrom(createCatalogues(rules), movedSentences);
}
