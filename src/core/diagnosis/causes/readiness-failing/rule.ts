import { isReady } from '../../../cluster/pod.js';
import type { Statement } from '../../../language/statement.js';
import { refOf } from '../../../remediation/price-of.js';
import { crashFinding } from '../../crashes/crash-finding.js';
import { detectEach } from '../../crashes/detect-each.js';
import type { FailureGroup } from '../../crashes/failure-group.js';
import { probeKill } from '../../crashes/probe-kill-text.js';
import { type ProbeUse, probeUseOf } from '../../crashes/probe-use.js';
import { crash } from '../../crashes/text.js';
import type { Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { gateFinding } from './gate-finding.js';
import { state, text } from './text.js';

/**
 * A container runs, was given its time, and its readiness probe does not pass: it gets no traffic and holds a rollout
 * up, and nothing restarts it (kubernetes `prober/worker.go`). Or all containers are ready, and a readiness gate is not.
 */
export const readinessFailing: Rule = {
  id: 'readiness-failing',
  text,
  origin: 'template',
  appliesTo: ['Deployment', 'StatefulSet', 'DaemonSet'],
  needs: ['ReplicaSet', 'ControllerRevision', 'Pod', 'Node', 'Event'],
  supersedes: ['progress-deadline-exceeded'],
  ...detectEach('readiness-failing', (examination, failureGroup) => {
    const { snapshot } = examination;
    if (failureGroup.container === '') return gateFinding(examination, failureGroup);
    const use = probeUseOf(failureGroup, 'readinessProbe');
    if (use === undefined) return undefined;
    const { podFailures, container, siblings } = failureGroup;
    return {
      ...crashFinding(examination, failureGroup, {
        confidence: use.answer === undefined ? 'possible' : 'likely',
        summary: state('summary', { workload: workloadName(snapshot), container }),
        standing: state('standing', {
          failing: podFailures.length,
          of: Math.max(podFailures.length, siblings.length),
        }),
        reasoning: [
          crash('pods', {
            container,
            failing: podFailures.map(({ pod }) => pod.metadata.name),
            of: siblings.length,
            nodes: failureGroup.nodes,
          }),
          ...reasonsOf(failureGroup, use),
        ],
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

function reasonsOf({ podFailures, siblings }: FailureGroup, use: ProbeUse): readonly Statement[] {
  const { probe, target, answer, declaredInstead } = use;
  const { by, what, port } = target;
  const failing = new Set(podFailures.map(({ pod }) => pod.metadata.uid));
  const passing = siblings.filter((pod) => isReady(pod) && !failing.has(pod.metadata.uid));
  return [
    state('asks', { by, what, periodSeconds: probe.periodSeconds, timeoutSeconds: probe.timeoutSeconds }),
    answer === undefined ? state('no-answer') : state('answer', answer),
    ...(declaredInstead === undefined || port === undefined
      ? []
      : [state('port-not-declared', { port, declared: declaredInstead })]),
    ...(passing.length === 0
      ? []
      : [state('some-pass', { pods: passing.map(({ metadata }) => metadata.name) })]),
    state('not-restarted'),
  ];
}
