import { conditionOf } from '../../../cluster/metadata.js';
import { nowOf } from '../../../cluster/snapshot.js';
import { refOf } from '../../../remediation/price-of.js';
import { type ClosedGate, closedGatesOf } from '../../crashes/closed-gates.js';
import { crashFinding } from '../../crashes/crash-finding.js';
import { crashFactsOf } from '../../crashes/facts.js';
import { failingPodsOf } from '../../crashes/failing-pods.js';
import { type FailureGroup, passingPodsOf } from '../../crashes/failure-group.js';
import type { Detected, Examination } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import type { ReadinessFailingFacts } from './facts.js';
import { state } from './text.js';

/** More would make a list that nobody reads; the template names them all. */
const maxShownGates = 5;

/**
 * Whole pods are not ready although their containers are: a readiness gate is closed. The kubelet says so
 * itself, so it is proven; which controller should set the condition stands in no object.
 */
export function gateFinding(
  examination: Examination,
  failureGroup: FailureGroup,
): Detected<typeof ReadinessFailingFacts> | undefined {
  const { snapshot } = examination;
  const { podFailures } = failureGroup;
  const facts = crashFactsOf(failureGroup);
  const gates = distinct(podFailures.flatMap(({ pod }) => [...closedGatesOf(pod, nowOf(snapshot))])).slice(
    0,
    maxShownGates,
  );
  const [{ pod }] = podFailures;
  const [gate] = gates;
  if (gate === undefined) return undefined;
  const types = gates.map(({ type }) => type);
  return {
    ...crashFinding(examination, failureGroup, {
      confidence: 'proven',
      summary: state('summary-gate', { workload: workloadName(snapshot), gates: types }),
      facts: { passingPods: passingPodsOf(failureGroup), gates },
      standing: state('standing', failingPodsOf(failureGroup)),
      reasoning: [
        state('containers-ready', { pods: facts.pods }),
        ...gates.map(({ type, status }) =>
          status === undefined
            ? state('gate-missing', { gate: type })
            : state('gate-status', { gate: type, status }),
        ),
        state('gate-owner'),
      ],
      evidence: [
        {
          object: refOf(pod),
          field: 'spec.readinessGates',
          value: types.join(', '),
          says: state('ev-gate'),
        },
        {
          object: refOf(pod),
          field: 'status.conditions[Ready].reason',
          value: conditionOf(pod.status, 'Ready')?.reason ?? '',
          says: state('ev-not-ready'),
        },
      ],
      ruledOut: [{ cause: 'application-crash', because: state('because-containers-ready') }],
      withheld: [{ kind: 'restart-rollout', because: state('restart-withheld-gate') }],
      advice: [
        {
          title: state('advice-gate-title', { gate: gate.type }),
          text: state('advice-gate', { gate: gate.type }),
        },
      ],
    }),
    severity: 'warning',
  };
}

function distinct(gates: readonly ClosedGate[]): readonly ClosedGate[] {
  return [...new Map(gates.map((gate) => [`${gate.type} ${gate.status}`, gate])).values()];
}
