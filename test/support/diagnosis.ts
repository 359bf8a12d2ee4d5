import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import type { Finding } from '#src/doctor/findings/finding.js';
import type { Detected } from '#src/doctor/findings/rule.js';
import { keptUntilReady, partyOf, waitForResource } from '#src/doctor/findings/wait-cycle.js';
import { say } from '#src/engine/language/prose.js';
import { buildPatchStrategy } from './records.js';

const waitCycle = [
  {
    who: partyOf('new-pod', ['inference-7d57-new']),
    waits: waitForResource('nvidia.com/gpu', '1', ['gpu-a']),
  },
  keptUntilReady(['inference-5c96-old']),
];

/** A proven surge deadlock of `ml/inference` over its GPU. */
export function buildFinding(fields: Partial<Finding> = {}): Finding {
  const workload = { kind: 'Deployment', namespace: 'ml', name: 'inference' };
  return {
    cause: 'surge-deadlock',
    confidence: 'proven',
    severity: 'critical',
    subject: workload,
    resource: 'nvidia.com/gpu',
    nodes: ['gpu-a'],
    holders: [{ kind: 'Pod', namespace: 'ml', name: 'inference-5c96-old' }],
    ...(fields.cause === undefined ? { waitCycle } : {}),
    summary: {
      catalogue: 'surge-deadlock',
      key: 'summary',
      values: { workload: 'ml/inference', resource: 'nvidia.com/gpu' },
    },
    reasoning: [],
    evidence: [],
    ruledOut: [],
    owners: [],
    remediations: [buildPatchStrategy()],
    withheld: [],
    advice: [],
    weakenedBy: [],
    ...fields,
  };
}

/** The same as a rule without facts returns it. */
export function buildDetected(fields: Partial<Finding> = {}): Detected {
  return { ...buildFinding(fields), facts: {} };
}

export function buildDiagnosis(fields: Partial<Diagnosis> = {}): Diagnosis {
  return {
    takenAt: '2026-11-20T09:30:04Z',
    workload: { cluster: 'prod', kind: 'Deployment', namespace: 'ml', name: 'inference' },
    uid: 'u1',
    generation: 2,
    revision: '2',
    ready: { pods: 1, wanted: 1 },
    findings: [buildFinding()],
    unseen: [],
    defects: [],
    ...fields,
  };
}

/** The sentences of a rule that makes no statements. */
export const ruleText = {
  en: { 'shared-failure': () => say`pods fail` },
  ko: { 'shared-failure': () => say`파드 장애` },
};
