import type { Diagnosis } from '../../src/core/diagnosis/diagnosis.js';
import type { Finding } from '../../src/core/diagnosis/finding.js';
import { buildPatchStrategy } from './records.js';

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
