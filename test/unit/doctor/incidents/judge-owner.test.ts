import { describe, expect, it } from 'vitest';
import type { Remediation } from '#src/doctor/fixes/remediation.js';
import type { Change, Verdict } from '#src/doctor/incidents/incident.js';
import { judge } from '#src/doctor/incidents/judge.js';
import { InferenceService } from '#src/engine/objects/inference-service.js';
import { Deployment } from '#src/engine/objects/workload.js';
import { buildDiagnosis } from '../../../support/diagnosis.js';
import { buildPatchStrategy } from '../../../support/records.js';
import { buildSnapshot } from '../../../support/remediation-builders.js';

const { kind: _kind, strategy: _strategy, ...offered } = buildPatchStrategy();
const restart: Remediation = { ...offered, kind: 'restart-rollout' };
const exclude: Remediation = {
  ...offered,
  kind: 'exclude-nodes',
  nodes: [{ name: 'gpu-a', hostname: 'gpu-a' }],
  remindAfterHours: 24,
};

const restarted = { annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-11-20T09:31:00Z' } };
const notIn = { key: 'kubernetes.io/hostname', operator: 'NotIn', values: ['gpu-a'] };
const nodeAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution: {
    nodeSelectorTerms: [{ matchExpressions: [notIn] }],
  },
};
const excluded = { affinity: { nodeAffinity } };

interface Look {
  readonly remediation: Remediation;
  /** Of the InferenceService; absent where it was not read. */
  readonly predictor?: object;
  /** What its controller has written into the template of the Deployment. */
  readonly template?: { readonly metadata?: object; readonly spec?: object };
  readonly origin?: Pick<Change, 'cause' | 'requested'>;
  readonly undoes?: boolean;
  readonly late?: boolean;
}

/** A complete Deployment of an InferenceService that was changed. */
function verdictOf({ remediation, predictor, template = {}, undoes = false, late = false, origin }: Look) {
  const owner = { apiVersion: 'serving.kserve.io/v1beta1', kind: 'InferenceService', name: 'llm' };
  const workload = Deployment.parse({
    metadata: {
      ...{ name: 'llm-predictor', namespace: 'shop', generation: 1 },
      ownerReferences: [{ ...owner, controller: true }],
    },
    spec: {
      replicas: 1,
      selector: {},
      template: { ...template, spec: { containers: [], ...template.spec } },
    },
    status: {
      observedGeneration: 1,
      ...{ replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 },
    },
  });
  const service = { metadata: { name: 'llm', namespace: 'shop' }, spec: { predictor } };
  const ready = { pods: 1, wanted: 1 };
  return judge({
    change: {
      ...(origin ?? { requested: { by: 'U0DANA', at: '2026-11-20T09:30:00Z' } }),
      ...{ approvalId: 'a1', remediation, undoes, approvedBy: [], approvedAt: '2026-11-20T09:31:00Z' },
    },
    before: buildDiagnosis({ findings: [], ready }),
    now: buildDiagnosis({ findings: [], ready }),
    snapshot: buildSnapshot(
      workload,
      predictor === undefined ? {} : { InferenceService: [InferenceService.parse(service)] },
    ),
    late,
  }).verdict;
}

describe('the verdict after a change of the object above a workload', () => {
  it.each<[string, Look, Verdict | undefined]>([
    [
      'open after a restart until its controller has written the annotation into the Deployment',
      { remediation: restart, predictor: restarted },
      undefined,
    ],
    [
      'recovered after a restart once the Deployment with the annotation is complete',
      { remediation: restart, predictor: restarted, template: { metadata: restarted } },
      'recovered',
    ],
    [
      'progressing at the deadline where its controller has not acted',
      { remediation: restart, predictor: restarted, late: true },
      'progressing',
    ],
    [
      'open after a restart where the annotation is in neither of them any longer',
      { remediation: restart, predictor: {} },
      undefined,
    ],
    [
      'open after a restart where the object could not be read',
      { remediation: restart, template: { metadata: restarted } },
      undefined,
    ],
    [
      'recovered where it could not be read and the rule finds its cause no longer',
      { remediation: restart, template: { metadata: restarted }, origin: { cause: 'readiness-failing' } },
      'recovered',
    ],
    [
      'open after an exclusion until the pods have the affinity',
      { remediation: exclude, predictor: excluded },
      undefined,
    ],
    [
      'recovered after an exclusion once the pods have the affinity',
      { remediation: exclude, predictor: excluded, template: { spec: excluded } },
      'recovered',
    ],
    [
      'open after the undo of an exclusion while the pods have the affinity',
      { remediation: exclude, predictor: {}, template: { spec: excluded }, undoes: true },
      undefined,
    ],
    [
      'undone once the pods have it no longer',
      { remediation: exclude, predictor: {}, undoes: true },
      'undone',
    ],
  ])('is %s', (_, look, verdict) => {
    expect(verdictOf(look)).toBe(verdict);
  });
});
