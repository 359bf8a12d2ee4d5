import { type Certificate, certify, type NoCertificate } from '../../doctor/findings/deadlock/certificate.js';
import type { Diagnosis } from '../../doctor/findings/diagnosis.js';
import type { Finding } from '../../doctor/findings/finding.js';
import { conclusionOf, openQuestionOf } from '../../doctor/findings/main-finding.js';
import { missingIn } from '../../doctor/findings/missing.js';
import { downtime, impactInFull } from '../../doctor/fixes/impact-text.js';
import type { Remediation } from '../../doctor/fixes/remediation.js';
import { mayLead } from '../../doctor/fixes/with-drift.js';
import { untrusted } from '../../doctor/redaction/untrusted.js';
import type { Tell } from '../../engine/language/catalogue.js';
import type { Language } from '../../engine/language/language.js';
import { plain } from '../../engine/language/prose.js';
import type { Statement } from '../../engine/language/statement.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import type { CommandsFor } from './kubectl-command.js';

/** Longest text of one field; longer foreign text ends in an ellipsis. */
const maxText = 4_000;

/**
 * A diagnosis in the stable, versioned shape that scripts read. All text has passed the gate for foreign
 * text; field names never change within `rollout-doctor/v1`.
 */
export function diagnosisJson(
  diagnosis: Diagnosis,
  tell: Tell,
  language: Language,
  commandsFor: CommandsFor = () => [],
) {
  const said = (statement: Statement): string => untrusted(plain(tell(statement, language)), maxText);
  const missing = missingIn(diagnosis);
  return {
    apiVersion: 'rollout-doctor/v1',
    kind: 'Diagnosis',
    takenAt: diagnosis.takenAt,
    ...(diagnosis.isTimeUnknown ? { durations: 'at-least' as const } : {}),
    workload: { ...diagnosis.workload, uid: diagnosis.uid, revision: diagnosis.revision },
    ...(diagnosis.ownedBy === undefined ? {} : { ownedBy: diagnosis.ownedBy }),
    ready: diagnosis.ready,
    conclusion: conclusionIn(diagnosis),
    ...(diagnosis.completion === undefined ? {} : { completion: diagnosis.completion }),
    ...(missing.length === 0 ? {} : { missing }),
    findings: diagnosis.findings.map((finding) => findingJson(finding, { said, language, commandsFor })),
    unseen: diagnosis.unseen.map(({ what, namespace, because, message, weakens }) => ({
      what: namespace === '' ? what : `${what} in ${namespace}`,
      because: message === '' ? because : `${because}: ${untrusted(message, maxText)}`,
      weakens,
    })),
    ...(diagnosis.age === undefined ? {} : { age: diagnosis.age }),
    ...(diagnosis.workSpent ? { workSpent: true } : {}),
    ...(diagnosis.defects.length === 0 ? {} : { defects: diagnosis.defects }),
  };
}

/** What the proof of the deadlock rests on, or why there is none, with all text past the gate. */
export function certificateJson(
  snapshot: Snapshot,
  diagnosis: Diagnosis,
  tell: Tell,
  language: Language,
): Certificate | NoCertificate {
  const certified = certify(snapshot, diagnosis);
  if ('certificate' in certified) return untrustedTexts(certified.certificate) as Certificate;
  const { nearest } = certified;
  const doubts = nearest?.weakenedBy ?? [];
  return {
    apiVersion: 'rollout-doctor/v1',
    kind: 'NoCertificate',
    because: nearest === undefined ? 'no-deadlock' : 'not-proven',
    ...(nearest && { cause: nearest.cause, confidence: nearest.confidence }),
    doubts: doubts.map((doubt) => untrusted(plain(tell(doubt, language)), maxText)),
  };
}

/** What the findings and the open question come to. */
function conclusionIn(
  diagnosis: Diagnosis,
): 'found' | 'nothing' | 'unread' | 'unexplained' | 'in-part' | 'unchecked' {
  const conclusion = conclusionOf(diagnosis);
  return conclusion === 'unchecked' ? (openQuestionOf(diagnosis)?.kind ?? conclusion) : conclusion;
}

interface Told {
  readonly said: (statement: Statement) => string;
  readonly language: Language;
  readonly commandsFor: CommandsFor;
}

function findingJson(finding: Finding, told: Told) {
  const { said } = told;
  const {
    cause,
    confidence,
    severity,
    subject,
    resource,
    nodes,
    holders,
    owners,
    nextAttempt,
    blames,
    waitCycle,
    facts,
  } = finding;
  const [owner] = owners;
  return {
    cause,
    confidence,
    severity,
    summary: said(finding.summary),
    ...(finding.standing === undefined ? {} : { standing: said(finding.standing) }),
    subject,
    ...(resource === undefined ? {} : { resource }),
    nodes,
    holders,
    ...(blames === undefined ? {} : { blames }),
    ...(waitCycle === undefined ? {} : { waitCycle }),
    ...(facts === undefined ? {} : { facts: untrustedTexts(facts) }),
    ...(owner === undefined ? {} : { owner, owners }),
    evidence: finding.evidence.map(({ object, field, value, at, says }) => ({
      ...object,
      field,
      value: untrusted(value, maxText),
      ...(at === undefined ? {} : { at }),
      says: said(says),
    })),
    reasoning: finding.reasoning.map(said),
    ruledOut: finding.ruledOut.map(({ cause: other, because }) => ({ cause: other, because: said(because) })),
    ...(nextAttempt === undefined
      ? {}
      : {
          nextAttempt: {
            ...(nextAttempt.at === undefined ? {} : { at: nextAttempt.at }),
            what: said(nextAttempt.what),
          },
        }),
    remediations: finding.remediations.map((remediation) => remediationJson(remediation, told)),
    withheld: finding.withheld.map(({ kind, because }) => ({ kind, because: said(because) })),
    advice: finding.advice.map(({ title, text, snippet }) => ({
      title: said(title),
      text: said(text),
      ...(snippet === undefined ? {} : { snippet }),
    })),
    ...(finding.weakenedBy.length === 0 ? {} : { weakenedBy: finding.weakenedBy.map(said) }),
  };
}

/** The value with each text in it past the gate for foreign text. */
function untrustedTexts(value: unknown): unknown {
  if (typeof value === 'string') return untrusted(value, maxText);
  if (Array.isArray(value)) return value.map(untrustedTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, untrustedTexts(field)]));
}

function remediationJson(remediation: Remediation, { said, language, commandsFor }: Told) {
  const { kind, id, title, effects, price, prediction, survival, afterWaiting: _, ...patch } = remediation;
  const kubectl = commandsFor(remediation);
  return {
    kind,
    id,
    summary: said(title),
    effects: effects.map(said),
    price: {
      downtime: plain(downtime(price, language)),
      downtimeSeconds: price.downtime.kind === 'none' ? 0 : price.downtime.seconds,
      drift: price.drift,
      blastRadius: price.blastRadius,
      inFull: impactInFull(remediation, language).map(plain),
    },
    prediction,
    recommended: mayLead(remediation),
    ...(survival === undefined ? {} : { survival }),
    patch,
    ...(kubectl.length === 0 ? {} : { kubectl }),
  };
}
