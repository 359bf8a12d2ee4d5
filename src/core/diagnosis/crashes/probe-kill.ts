import type { AnyCatalogue } from '../../language/catalogue.js';
import type { Statement } from '../../language/statement.js';
import { refOf } from '../../remediation/price-of.js';
import type { Advice } from '../finding.js';
import type { Rule } from '../rule.js';
import { workloadName } from '../stuck-rollout.js';
import { courseOf, crashFinding } from './crash-finding.js';
import { detectEach } from './detect-each.js';
import type { FailureGroup } from './failure-group.js';
import { probeKill } from './probe-kill-text.js';
import { type ProbeUse, probeUseOf } from './probe-use.js';
import { crash } from './text.js';

/** One of the two probes for which the kubelet kills a container. */
export interface ProbeKill {
  readonly id: 'liveness-probe-kill' | 'startup-probe-kill';
  readonly field: 'livenessProbe' | 'startupProbe';
  readonly text: AnyCatalogue;
  readonly summary: (values: { readonly workload: string; readonly container: string }) => Statement;
  /** How many pods of how many are affected. */
  readonly standing: (values: { readonly failing: number; readonly of: number }) => Statement;
  /** How long the last run took, and how soon the probe can end one. */
  readonly arithmetic: (values: { readonly seconds: number; readonly earliest: number }) => Statement;
  /** Seconds after which the probe can end a run, at the earliest. */
  readonly earliest: (probe: ProbeUse['probe']) => number;
  /** What else to know of how the container is set up. */
  readonly setUp: (failureGroup: FailureGroup) => readonly Statement[];
  readonly advice: (failureGroup: FailureGroup, kill: ProbeUse) => readonly Advice[];
}

/**
 * The rule of one probe: the kubelet's own event says that it killed the container for it, within the run that ended,
 * so that the program did not crash, whatever its exit code (kubernetes `kuberuntime_manager.go: computePodActions`).
 */
export function probeKillRule(kind: ProbeKill): Rule {
  const { id, field, advice } = kind;
  return {
    id,
    text: kind.text,
    origin: 'template',
    appliesTo: ['Deployment', 'StatefulSet', 'DaemonSet'],
    needs: ['ReplicaSet', 'ControllerRevision', 'Pod', 'Node', 'Event'],
    supersedes: [
      'application-crash',
      'process-exits-zero',
      'readiness-failing',
      'progress-deadline-exceeded',
    ],
    ...detectEach(id, (examination, failureGroup) => {
      const { snapshot } = examination;
      const kill = probeUseOf(failureGroup, field);
      if (kill === undefined) return undefined;
      const { podFailures, container, siblings, nodes, ongoing } = failureGroup;
      const failing = podFailures.length;
      return crashFinding(examination, failureGroup, {
        confidence: 'proven',
        summary: kind.summary({ workload: workloadName(snapshot), container }),
        standing: ongoing
          ? kind.standing({ failing, of: Math.max(failing, siblings.length) })
          : probeKill('standing-recovered', { failing }),
        reasoning: [...courseOf(failureGroup), ...reasonsOf(kind, failureGroup, kill)],
        evidence: [
          {
            object: refOf(podFailures[0].pod),
            field: `spec.containers[${container}].${field}`,
            value: JSON.stringify(kill.probe),
            says: probeKill('ev-probe', { what: kill.target.what }),
          },
        ],
        ruledOut: [
          { cause: 'application-crash', because: probeKill('because-killed', { container }) },
          ...(podFailures[0].run === undefined
            ? []
            : [
                {
                  cause: 'out-of-memory' as const,
                  because: crash('because-not-oom', { container, reason: podFailures[0].run.reason }),
                },
              ]),
          ...(nodes.length > 1
            ? [
                {
                  cause: 'crash-loop-on-node' as const,
                  because: crash('because-several-nodes', { nodes }),
                },
              ]
            : []),
        ],
        withheld: [{ kind: 'restart-rollout', because: probeKill('restart-withheld') }],
        advice: advice(failureGroup, kill),
      });
    }),
  };
}

function reasonsOf(
  { field, earliest, setUp, arithmetic }: ProbeKill,
  failureGroup: FailureGroup,
  { probe, target, answer, declaredInstead, graceSeconds }: ProbeUse,
): readonly Statement[] {
  const { run } = failureGroup.podFailures[0];
  const { periodSeconds, timeoutSeconds, failureThreshold, initialDelaySeconds } = probe;
  const { by, what, port } = target;
  return [
    probeKill('asks', {
      probe: field === 'livenessProbe' ? 'liveness' : 'startup',
      by,
      what,
      periodSeconds,
      timeoutSeconds,
      failureThreshold,
      initialDelaySeconds,
    }),
    ...(answer === undefined ? [] : [probeKill('answer', answer)]),
    ...(run?.seconds === undefined ? [] : [arithmetic({ seconds: run.seconds, earliest: earliest(probe) })]),
    ...(declaredInstead === undefined || port === undefined
      ? []
      : [probeKill('port-not-declared', { port, declared: declaredInstead })]),
    ...setUp(failureGroup),
    ...(run === undefined ? [] : [probeKill('by-signal', { exitCode: run.exitCode, graceSeconds })]),
  ];
}
