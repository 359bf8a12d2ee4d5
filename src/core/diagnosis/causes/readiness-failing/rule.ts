import { workloadKinds } from '../../../cluster/workload.js';
import type { Statement } from '../../../language/statement.js';
import { refOf } from '../../../remediation/price-of.js';
import { crashFinding, podsStatement } from '../../crashes/crash-finding.js';
import { detectEach } from '../../crashes/detect-each.js';
import { probeFactsOf } from '../../crashes/facts.js';
import { failingPodsOf } from '../../crashes/failing-pods.js';
import { passingPodsOf } from '../../crashes/failure-group.js';
import { probeKill } from '../../crashes/probe-kill-text.js';
import { type ProbeUse, probeUseOf } from '../../crashes/probe-use.js';
import { podNeeds } from '../../needs.js';
import type { Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { ReadinessFailingFacts } from './facts.js';
import { gateFinding } from './gate-finding.js';
import { state, text } from './text.js';

/**
 * A container runs, was given its time, and its readiness probe does not pass: it gets no traffic and holds a
 * rollout up, and nothing restarts it (kubernetes `prober/worker.go`). Or all containers are ready, and a
 * readiness gate is not.
 */
export const readinessFailing: Rule<typeof ReadinessFailingFacts> = {
  id: 'readiness-failing',
  facts: ReadinessFailingFacts,
  text,
  origin: 'template',
  appliesTo: workloadKinds,
  needs: podNeeds,
  supersedes: ['progress-deadline-exceeded'],
  ...detectEach('readiness-failing', (examination, failureGroup) => {
    const { snapshot } = examination;
    if (failureGroup.container === '') return gateFinding(examination, failureGroup);
    const use = probeUseOf(failureGroup, 'readinessProbe');
    if (use === undefined) return undefined;
    const { podFailures, container } = failureGroup;
    const facts = { ...probeFactsOf(use), passingPods: passingPodsOf(failureGroup), gates: [] };
    return {
      ...crashFinding(examination, failureGroup, {
        confidence: use.answer === undefined ? 'possible' : 'likely',
        summary: state('summary', { workload: workloadName(snapshot), container }),
        facts,
        standing: state('standing', failingPodsOf(failureGroup)),
        reasoning: [podsStatement(failureGroup), ...reasonsOf(use, facts)],
        evidence: [
          {
            object: refOf(podFailures[0].pod),
            field: `spec.containers[${container}].readinessProbe`,
            value: JSON.stringify(use.probe),
            says: probeKill('ev-probe', { what: use.target.what }),
          },
        ],
        ruledOut: [
          { cause: 'application-crash', because: state('because-runs', { container }) },
          { cause: 'liveness-probe-kill', because: state('because-readiness') },
        ],
        withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
        advice: [{ title: state('advice-title'), text: state('advice', { what: use.target.what }) }],
      }),
      severity: 'warning',
    };
  }),
};

function reasonsOf(
  { target: { port }, answer, declaredInstead }: ProbeUse,
  { probe, passingPods }: ReturnType<typeof probeFactsOf> & { readonly passingPods: readonly string[] },
): readonly Statement[] {
  const { by, what, periodSeconds, timeoutSeconds } = probe;
  return [
    state('asks', { by, what, periodSeconds, timeoutSeconds }),
    answer === undefined ? state('no-answer') : state('answer', answer),
    ...(declaredInstead === undefined || port === undefined
      ? []
      : [state('port-not-declared', { port, declared: declaredInstead })]),
    ...(passingPods.length === 0 ? [] : [state('some-pass', { pods: passingPods })]),
    state('not-restarted'),
  ];
}
