import type { Statement } from '../../../language/statement.js';
import { refOf } from '../../../remediation/price-of.js';
import { courseOf, crashFinding } from '../../crashes/crash-finding.js';
import { earliestKill } from '../../crashes/probe-timing.js';
import { type ProbeUse, probeUseOf } from '../../crashes/probe-use.js';
import { type Sickness, sicknessOf } from '../../crashes/sickness.js';
import { crash } from '../../crashes/statements.js';
import { wayBackFrom } from '../../crashes/way-back.js';
import type { Advice } from '../../finding.js';
import type { Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { state } from './statements.js';

/**
 * The kubelet's own event says that it killed the container for its liveness probe, within the run that ended: the
 * program did not crash, whatever its exit code (kubernetes `kuberuntime_manager.go: computePodActions`).
 */
export const livenessProbeKill: Rule = {
  id: 'liveness-probe-kill',
  appliesTo: ['Deployment', 'StatefulSet', 'DaemonSet'],
  needs: ['ReplicaSet', 'ControllerRevision', 'Pod', 'Node', 'Event'],
  supersedes: ['application-crash', 'process-exits-zero', 'readiness-failing', 'progress-deadline-exceeded'],
  detect(examination) {
    const { snapshot } = examination;
    const sickness = sicknessOf(snapshot, 'liveness-probe-kill');
    const kill = sickness && probeUseOf(sickness, 'livenessProbe');
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
          field: `spec.containers[${container}].livenessProbe`,
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
      advice: adviceOf(sickness, kill),
    });
  },
};

function reasonsOf({ ailments: [{ run, container }] }: Sickness, kill: ProbeUse): readonly Statement[] {
  const { probe, target, answer, declaredInstead, graceSeconds } = kill;
  const { periodSeconds, timeoutSeconds, failureThreshold, initialDelaySeconds } = probe;
  const { by, what, port } = target;
  return [
    state('asks', { by, what, periodSeconds, timeoutSeconds, failureThreshold, initialDelaySeconds }),
    ...(answer === undefined ? [] : [state('answer', answer)]),
    ...(run?.seconds === undefined
      ? []
      : [state('arithmetic', { seconds: run.seconds, earliest: earliestKill(probe) })]),
    ...(declaredInstead === undefined || port === undefined
      ? []
      : [state('port-not-declared', { port, declared: declaredInstead })]),
    ...(container?.spec.startupProbe === undefined ? [state('no-startup-probe', {})] : []),
    ...(run === undefined ? [] : [state('by-signal', { exitCode: run.exitCode, graceSeconds })]),
  ];
}

function adviceOf(
  { ailments: [{ container }] }: Sickness,
  { probe, target, declaredInstead }: ProbeUse,
): readonly Advice[] {
  const port = declaredInstead?.[0] ?? target.port;
  return [
    {
      title: state('advice-probe-title', {}),
      text: state('advice-probe', { what: target.what }),
      ...(port === undefined || probe.httpGet === undefined
        ? {}
        : { snippet: `livenessProbe:\n  httpGet:\n    path: ${probe.httpGet.path}\n    port: ${port}\n` }),
    },
    ...(container?.spec.startupProbe === undefined
      ? [
          {
            title: state('advice-startup-title', {}),
            text: state('advice-startup', {}),
            snippet: `startupProbe:\n  # as livenessProbe, with as many tries as a slow start needs\n  periodSeconds: 10\n  failureThreshold: 30\n`,
          },
        ]
      : []),
  ];
}
