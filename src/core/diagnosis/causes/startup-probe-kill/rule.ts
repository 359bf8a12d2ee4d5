import type { Statement } from '../../../language/statement.js';
import { refOf } from '../../../remediation/price-of.js';
import { courseOf, crashFinding } from '../../crashes/crash-finding.js';
import { startupAllowance } from '../../crashes/probe-timing.js';
import { type ProbeUse, probeUseOf } from '../../crashes/probe-use.js';
import { type Sickness, sicknessOf } from '../../crashes/sickness.js';
import { crash } from '../../crashes/statements.js';
import { wayBackFrom } from '../../crashes/way-back.js';
import type { Advice } from '../../finding.js';
import type { Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { state } from './statements.js';

/**
 * The kubelet's own event says that it killed the container because its startup probe did not pass in time: the
 * program may be well and only slow (kubernetes `kuberuntime_manager.go: computePodActions`).
 */
export const startupProbeKill: Rule = {
  id: 'startup-probe-kill',
  appliesTo: ['Deployment', 'StatefulSet', 'DaemonSet'],
  needs: ['ReplicaSet', 'ControllerRevision', 'Pod', 'Node', 'Event'],
  supersedes: ['application-crash', 'process-exits-zero', 'readiness-failing', 'progress-deadline-exceeded'],
  detect(examination) {
    const { snapshot } = examination;
    const sickness = sicknessOf(snapshot, 'startup-probe-kill');
    const kill = sickness && probeUseOf(sickness, 'startupProbe');
    if (sickness === undefined || kill === undefined) return undefined;
    const { ailments, container, siblings, nodes, ongoing } = sickness;
    const failing = ailments.length;
    const wayBack = wayBackFrom(examination, sickness);
    return crashFinding(examination, sickness, {
      confidence: 'proven',
      summary: state('summary', { workload: workloadName(snapshot), container }),
      standing: ongoing
        ? state('standing', { failing, of: Math.max(failing, siblings.length) })
        : state('standing-recovered', { failing }),
      reasoning: [...courseOf(sickness), ...reasonsOf(sickness, kill)],
      evidence: [
        {
          object: refOf(ailments[0].pod),
          field: `spec.containers[${container}].startupProbe`,
          value: JSON.stringify(kill.probe),
          says: state('ev-probe', { what: kill.target.what }),
        },
      ],
      ruledOut: [
        { cause: 'application-crash', because: state('because-killed', { container }) },
        ...(ailments[0].run === undefined
          ? []
          : [
              {
                cause: 'out-of-memory',
                because: crash('because-not-oom', { container, reason: ailments[0].run.reason }),
              },
            ]),
        ...(nodes.length > 1
          ? [{ cause: 'crash-loop-on-node', because: crash('because-several-nodes', { nodes }) }]
          : []),
      ],
      remediations: wayBack.remediations,
      withheld: [...wayBack.withheld, { kind: 'restart-rollout', because: state('restart-withheld', {}) }],
      advice: adviceOf(kill),
    });
  },
};

function reasonsOf({ ailments: [{ run }] }: Sickness, kill: ProbeUse): readonly Statement[] {
  const { probe, target, answer, declaredInstead, graceSeconds } = kill;
  const { periodSeconds, timeoutSeconds, failureThreshold, initialDelaySeconds } = probe;
  const { by, what, port } = target;
  return [
    state('asks', { by, what, periodSeconds, timeoutSeconds, failureThreshold, initialDelaySeconds }),
    ...(answer === undefined ? [] : [state('answer', answer)]),
    ...(run?.seconds === undefined
      ? []
      : [state('arithmetic', { seconds: run.seconds, earliest: startupAllowance(probe) })]),
    ...(declaredInstead === undefined || port === undefined
      ? []
      : [state('port-not-declared', { port, declared: declaredInstead })]),
    ...(run === undefined ? [] : [state('by-signal', { exitCode: run.exitCode, graceSeconds })]),
  ];
}

function adviceOf({ probe, target }: ProbeUse): readonly Advice[] {
  return [
    {
      title: state('advice-startup-title', {}),
      text: state('advice-startup', {}),
      snippet: `startupProbe:\n  periodSeconds: ${probe.periodSeconds}\n  failureThreshold: ${probe.failureThreshold * 3}\n`,
    },
    {
      title: state('advice-probe-title', {}),
      text: state('advice-probe', { what: target.what }),
    },
  ];
}
