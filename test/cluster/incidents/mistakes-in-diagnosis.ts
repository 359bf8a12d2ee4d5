import { causes } from '#src/doctor/causes/causes.js';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import type { Finding } from '#src/doctor/findings/finding.js';
import type { WorkloadKind } from '#src/engine/objects/workload.js';
import { deadlocks, type Happened, type Known } from './incident.js';

const rules = [...causes];

/** Causes any of which is correct; empty: nothing above informational. */
export const wanted = (known: Known): readonly string[] =>
  known.anyOf ?? (known.cause === undefined ? [] : [known.cause]);

/** Whether the program has a rule for this incident in this kind of workload, or must find nothing in it. */
export function isDetectable(known: Known, kind: WorkloadKind = 'Deployment'): boolean {
  const right = wanted(known);
  if (right.length === 0) return true;
  return rules.some(({ id, appliesTo }) => right.includes(id) && appliesTo.includes(kind));
}

/** Mistakes in the diagnosis, one line each; empty when it matches what is known. */
export function mistakesIn(diagnosis: Diagnosis, known: Known, happened: Happened): readonly string[] {
  const serious = diagnosis.findings.filter(({ severity }) => severity !== 'info');
  const forbidden = serious.filter(({ cause }) => known.never?.includes(cause));
  const mistakes = [
    ...diagnosis.defects.map(({ cause, message }) => `the rule ${cause} failed: ${message}`),
    ...forbidden.map(({ cause }) => `found ${cause}, which it is not`),
  ];
  if (!isDetectable(known, happened.workload.kind)) return mistakes;
  const [first] = serious;
  const right = wanted(known);
  if (right.length === 0)
    return [...mistakes, ...serious.map(({ cause }) => `found ${cause} in a healthy workload`)];
  if (first === undefined || !right.includes(first.cause)) {
    return [...mistakes, `found ${first?.cause ?? 'nothing'} in place of ${right.join(' or ')}`];
  }
  return [...mistakes, ...differences(first, known, happened)];
}

function differences(finding: Finding, known: Known, happened: Happened): readonly string[] {
  const { cause, resource, nodes, holders, confidence } = finding;
  const isDeadlock = deadlocks.includes(cause);
  return [
    ...(known.resource === undefined || resource === known.resource
      ? []
      : [`the resource is ${resource}, not ${known.resource}`]),
    ...(known.nodes ?? []).flatMap((node) => (nodes.includes(node) ? [] : [`node ${node} is not named`])),
    ...(isDeadlock && known.nodes !== undefined && nodes.length > known.nodes.length
      ? [`nodes ${nodes.join(', ')} are named, of which only ${known.nodes.join(', ')} matter`]
      : []),
    ...unnamed(holders, happened.holders),
    ...(isDeadlock ? misnamed(holders, happened.holders) : []),
    ...(isDeadlock && confidence === 'possible' ? ['a deadlock is only called possible'] : []),
  ];
}

function unnamed(holders: Finding['holders'], known: readonly string[]): readonly string[] {
  const names = holders.map(({ name }) => name);
  return known.filter((name) => !names.includes(name)).map((name) => `the holder ${name} is not named`);
}

function misnamed(holders: Finding['holders'], known: readonly string[]): readonly string[] {
  return holders
    .filter(({ name }) => !known.includes(name))
    .map(({ name }) => `${name} is named as a holder`);
}
