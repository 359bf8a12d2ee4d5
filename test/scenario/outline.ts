import { stringify } from 'yaml';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import type { Remediation } from '#src/doctor/fixes/remediation.js';
import type { Statement } from '#src/engine/language/statement.js';
import { diagnosisOf, plansOf, type Recorded } from './recorded.js';

/**
 * Everything the program states about a recorded incident, as data: findings, evidence, what
 * is offered with its plan, and what is withheld and why. YAML makes its changes readable.
 */
export async function factsOf(recorded: Recorded): Promise<string> {
  const { findings, defects, unseen, revision, ready } = await diagnosisOf(recorded);
  const plans = new Map((await plansOf(recorded)).map(({ remediation, plan }) => [remediation, plan]));
  const facts = {
    revision,
    ready,
    findings: findings.map(({ facts: _facts, ...finding }) => ({
      ...finding,
      remediations: finding.remediations.map((remediation) => ({
        ...remediation,
        plan: plans.get(remediation),
      })),
    })),
    unseen,
    defects,
  };
  return stringify(JSON.parse(JSON.stringify(facts, shorter)), {
    lineWidth: 0,
    aliasDuplicateObjects: false,
  });
}

/** An outline of a few lines: findings, the keys of their sentences, and offered or withheld remediations. */
export function outlineOf({ findings, defects }: Pick<Diagnosis, 'findings' | 'defects'>): readonly string[] {
  const lines = findings.flatMap((finding) => [
    [finding.cause, finding.confidence, finding.severity, finding.resource, ...finding.nodes]
      .join(' ')
      .trim(),
    `  holders   ${finding.holders.map(({ name }) => name).join(' ')}`,
    `  says      ${[finding.summary, ...finding.reasoning].map(({ key }) => key).join(' ')}`,
    `  evidence  ${finding.evidence.map(({ object, field }) => `${object.kind} ${field}`).join(', ')}`,
    `  not       ${finding.ruledOut.map(({ cause, because }) => `${cause} (${because.key})`).join(' ')}`,
    `  offers    ${finding.remediations.map(offerOf).join(' ')}`,
    `  withholds ${finding.withheld.map(({ kind, because }) => `${kind} (${because.key})`).join(' ')}`,
    `  advises   ${finding.advice.map(({ title }) => title.key).join(' ')}`,
    `  weak      ${finding.weakenedBy.map(({ key }) => key).join(' ')}`,
  ]);
  return [...lines, ...defects.map(({ cause, message }) => `DEFECT ${cause}: ${message}`)].map((line) =>
    line.trimEnd(),
  );
}

/** With what becomes of it, where an owner may revert it. */
function offerOf({ id, survival }: Remediation): string {
  const type = survival?.verdict.type ?? 'stays';
  return type === 'stays' ? id : `${id} (${type})`;
}

/** Shortens statements and objects to one line. */
function shorter(_: string, value: unknown): unknown {
  if (isStatement(value)) return `${value.catalogue}/${value.key} ${JSON.stringify(value.values)}`;
  if (isObjectRef(value))
    return [value.kind, value.namespace, value.name].filter((part) => part !== '').join('/');
  return value;
}

function isStatement(value: unknown): value is Statement {
  return typeof value === 'object' && value !== null && 'catalogue' in value && 'values' in value;
}

function isObjectRef(value: unknown): value is { kind: string; namespace: string; name: string } {
  return typeof value === 'object' && value !== null && Object.keys(value).join() === 'kind,namespace,name';
}
