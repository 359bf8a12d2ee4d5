import {
  type DeclaredState,
  declaredStatementsOf,
  type NoValues,
  type Statement,
} from '../../language/statement.js';
import { refOf } from '../../remediation/price-of.js';
import type { Advice } from '../finding.js';
import type { Rule } from '../rule.js';
import { workloadName } from '../stuck-rollout.js';
import { courseOf, crashFinding } from './crash-finding.js';
import { detectEach } from './detect-each.js';
import { type ProbeUse, probeUseOf } from './probe-use.js';
import type { Sickness } from './sickness.js';
import { crash } from './text.js';

/** What is stated of a container that the kubelet killed for a probe. Lengths are seconds. */
export type ProbeKillShapes = {
  readonly summary: { readonly workload: string; readonly container: string };
  readonly standing: { readonly failing: number; readonly of: number };
  readonly 'standing-recovered': { readonly failing: number };
  readonly asks: {
    readonly by: string;
    readonly what: string;
    readonly periodSeconds: number;
    readonly timeoutSeconds: number;
    readonly failureThreshold: number;
    readonly initialDelaySeconds: number;
  };
  readonly answer: { readonly message: string; readonly times: number };
  readonly arithmetic: { readonly seconds: number; readonly earliest: number };
  readonly 'port-not-declared': { readonly port: string; readonly declared: readonly string[] };
  readonly 'by-signal': { readonly exitCode: number; readonly graceSeconds: number };
  readonly 'ev-probe': { readonly what: string };
  readonly 'because-killed': { readonly container: string };
  readonly 'restart-withheld': NoValues;
  readonly 'advice-probe-title': NoValues;
  readonly 'advice-probe': { readonly what: string };
  readonly 'advice-startup-title': NoValues;
  readonly 'advice-startup': NoValues;
};

/** One of the two probes for which the kubelet kills a container. */
export interface ProbeKill {
  readonly id: 'liveness-probe-kill' | 'startup-probe-kill';
  readonly field: 'livenessProbe' | 'startupProbe';
  /** Seconds after which the probe can end a run, at the earliest. */
  readonly earliest: (probe: ProbeUse['probe']) => number;
  /** What else to know of how the container is set up. */
  readonly setUp: (sickness: Sickness) => readonly Statement[];
  readonly advice: (sickness: Sickness, kill: ProbeUse) => readonly Advice[];
}

/**
 * The rule of one probe: the kubelet's own event says that it killed the container for it, within the run that ended,
 * so that the program did not crash, whatever its exit code (kubernetes `kuberuntime_manager.go: computePodActions`).
 */
export function probeKillRule(kind: ProbeKill): Rule {
  const { id, field, advice } = kind;
  const state = declaredStatementsOf<ProbeKillShapes>(id);
  return {
    id,
    origin: 'template',
    appliesTo: ['Deployment', 'StatefulSet', 'DaemonSet'],
    needs: ['ReplicaSet', 'ControllerRevision', 'Pod', 'Node', 'Event'],
    supersedes: [
      'application-crash',
      'process-exits-zero',
      'readiness-failing',
      'progress-deadline-exceeded',
    ],
    ...detectEach(id, (examination, sickness) => {
      const { snapshot } = examination;
      const kill = probeUseOf(sickness, field);
      if (kill === undefined) return undefined;
      const { ailments, container, siblings, nodes, ongoing } = sickness;
      const failing = ailments.length;
      return crashFinding(examination, sickness, {
        confidence: 'proven',
        summary: state('summary', { workload: workloadName(snapshot), container }),
        standing: ongoing
          ? state('standing', { failing, of: Math.max(failing, siblings.length) })
          : state('standing-recovered', { failing }),
        reasoning: [...courseOf(sickness), ...reasonsOf(kind, state, sickness, kill)],
        evidence: [
          {
            object: refOf(ailments[0].pod),
            field: `spec.containers[${container}].${field}`,
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
                  cause: 'out-of-memory' as const,
                  because: crash('because-not-oom', { container, reason: ailments[0].run.reason }),
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
        withheld: [{ kind: 'restart-rollout', because: state('restart-withheld', {}) }],
        advice: advice(sickness, kill),
      });
    }),
  };
}

function reasonsOf(
  { earliest, setUp }: ProbeKill,
  state: DeclaredState<ProbeKillShapes>,
  sickness: Sickness,
  { probe, target, answer, declaredInstead, graceSeconds }: ProbeUse,
): readonly Statement[] {
  const { run } = sickness.ailments[0];
  const { periodSeconds, timeoutSeconds, failureThreshold, initialDelaySeconds } = probe;
  const { by, what, port } = target;
  return [
    state('asks', { by, what, periodSeconds, timeoutSeconds, failureThreshold, initialDelaySeconds }),
    ...(answer === undefined ? [] : [state('answer', answer)]),
    ...(run?.seconds === undefined
      ? []
      : [state('arithmetic', { seconds: run.seconds, earliest: earliest(probe) })]),
    ...(declaredInstead === undefined || port === undefined
      ? []
      : [state('port-not-declared', { port, declared: declaredInstead })]),
    ...setUp(sickness),
    ...(run === undefined ? [] : [state('by-signal', { exitCode: run.exitCode, graceSeconds })]),
  ];
}
