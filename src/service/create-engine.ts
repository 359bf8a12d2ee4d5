import { causes } from '../doctor/causes/causes.js';
import { diagnose } from '../doctor/findings/diagnose.js';
import { familyTexts, movedSentences } from '../doctor/findings/family-texts.js';
import { explanationCatalogues } from '../doctor/findings/messages/explain-pasted.js';
import type { AnyRule } from '../doctor/findings/rule.js';
import { withForeignNames } from '../doctor/findings/visible-diagnosis.js';
import { effectsText } from '../doctor/fixes/effects-text.js';
import { kinds } from '../doctor/fixes/kinds/kinds.js';
import { planUndo } from '../doctor/fixes/plan-undo.js';
import { refusal, refusalsText } from '../doctor/fixes/refusals.js';
import { kindOf, planningNeeds, planRemediation } from '../doctor/fixes/remediation.js';
import { checkSnapshot } from '../doctor/forecasts/check-manifests.js';
import { checkCatalogueId, text as checkText } from '../doctor/forecasts/text.js';
import { judge, judgeText } from '../doctor/incidents/judge.js';
import { withPicture } from '../doctor/pictures/picture-of.js';
import { forecastUndo } from '../doctor/requested/forecast-undo.js';
import { requestedCatalogueId, requestedText } from '../doctor/requested/text.js';
import { withRequested } from '../doctor/requested/with-requested.js';
import { type AnyCatalogue, type Tell, tellFrom } from '../engine/language/catalogue.js';
import type { ResourceKind } from '../engine/objects/cluster-objects.js';
import { createWorkBudget } from '../engine/objects/work-budget.js';
import type { DiagnosisEngine } from './diagnose/engine.js';
import { gitCatalogue, gitText } from './git/git-text.js';
import { inspectionCatalogueId, inspectionText } from './inspect/inspection.js';
import { noticesCatalogue } from './notices/notices.js';
import { noticesEn } from './notices/notices-en.js';
import { noticesKo } from './notices/notices-ko.js';

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
    diagnose(snapshot, requested, about) {
      const found = diagnose(snapshot, rules, createWorkBudget(), about);
      // Nobody sees the picture of a part.
      const drawn = about === undefined ? withPicture(found, snapshot) : found;
      return withForeignNames(withRequested(drawn, snapshot, requested), snapshot);
    },
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
    ...explanationCatalogues,
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
