import type { Statement } from '../../../engine/language/statement.js';
import { refOf } from '../../../engine/objects/pod-key.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { workloadKinds } from '../../../engine/objects/workload.js';
import type { Confidence } from '../cause-id.js';
import type { FactsOf } from '../facts.js';
import type { Advice } from '../finding.js';
import { podNeeds } from '../needs.js';
import type { Rule } from '../rule.js';
import { workloadName } from '../stuck-rollout.js';
import { courseOf, crashFinding } from './crash-finding.js';
import { detectEach } from './detect-each.js';
import { ProbeKillFacts, probeFactsOf } from './facts.js';
import { type FailingPods, failingPodsOf } from './failing-pods.js';
import type { FailureGroup } from './failure-group.js';
import { limitCutOf, narrower } from './limit-cut.js';
import type { ProbeKillSign } from './probe-kill-sign.js';
import { probeKill } from './probe-kill-text.js';
import { type ProbeUse, probeUseOf } from './probe-use.js';
import { crash } from './text.js';

/** One of the two probes whose failure makes the kubelet kill a container. */
export interface ProbeKill {
  readonly id: 'liveness-probe-kill' | 'startup-probe-kill';
  readonly field: 'livenessProbe' | 'startupProbe';
  readonly text: Rule<typeof ProbeKillFacts>['text'];
  readonly summary: (values: { readonly workload: string; readonly container: string }) => Statement;
  /** The number of affected pods. */
  readonly standing: (pods: FailingPods) => Statement;
  /** The length of the last run against the earliest kill that the probe allows. */
  readonly arithmetic: (values: { readonly seconds: number; readonly earliest: number }) => Statement;
  /** Seconds from the start of a run to the earliest kill. */
  readonly earliest: (probe: ProbeUse['probe']) => number;
  /** Further facts about the configuration of the container. */
  readonly setUp: (failureGroup: FailureGroup) => readonly Statement[];
  readonly advice: (failureGroup: FailureGroup, kill: ProbeUse) => readonly Advice[];
}

/**
 * The rule for one probe: the kubelet killed the container because of it (kubernetes
 * `kuberuntime_manager.go: computePodActions`). The program did not crash, whatever its exit code. An event
 * about the run proves it. Events of earlier runs and the length of the run make it likely, because the
 * kubelet limits the events of a pod.
 */
export function probeKillRule(kind: ProbeKill): Rule<typeof ProbeKillFacts> {
  const { id, field, advice } = kind;
  return {
    id,
    facts: ProbeKillFacts,
    text: kind.text,
    origin: 'template',
    appliesTo: workloadKinds,
    needs: podNeeds,
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
      const { podFailures, container, nodes, ongoing } = failureGroup;
      const sign = podFailures[0].killSign ?? 'kill';
      const pods = failingPodsOf(failureGroup);
      const facts = {
        ...probeFactsOf(kill),
        earliestKillSeconds: kind.earliest(kill.probe),
        graceSeconds: kill.graceSeconds,
        cpuCut: cpuCutOf(snapshot, failureGroup),
      };
      return crashFinding(examination, failureGroup, {
        confidence: confidences[sign],
        summary: kind.summary({ workload: workloadName(snapshot), container }),
        facts,
        standing: ongoing ? kind.standing(pods) : probeKill('standing-recovered', { failing: pods.failing }),
        reasoning: [
          ...courseOf(failureGroup),
          ...(sign === 'kill' ? [] : [probeKill('sign', { sign, container })]),
          ...reasonsOf(kind, failureGroup, kill, facts),
        ],
        evidence: [
          {
            object: refOf(podFailures[0].pod),
            field: `spec.containers[${container}].${field}`,
            value: JSON.stringify(kill.probe),
            says: probeKill('ev-probe', { what: kill.target.what }),
          },
        ],
        ruledOut: [
          ...(sign === 'run-length'
            ? []
            : [
                {
                  cause: 'application-crash' as const,
                  because: probeKill('because-killed', { container }),
                },
              ]),
          ...(podFailures[0].run === undefined || podFailures[0].run.reason === 'OOMKilled'
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

const confidences: Readonly<Record<ProbeKillSign, Confidence>> = {
  kill: 'proven',
  'earlier-kill': 'likely',
  'failed-checks': 'likely',
  'run-length': 'possible',
};

function reasonsOf(
  { field, setUp, arithmetic }: ProbeKill,
  failureGroup: FailureGroup,
  { target: { port }, answer, declaredInstead }: ProbeUse,
  {
    probe,
    earliestKillSeconds,
    graceSeconds,
    cpuCut,
  }: Pick<FactsOf<typeof ProbeKillFacts>, 'probe' | 'earliestKillSeconds' | 'graceSeconds' | 'cpuCut'>,
): readonly Statement[] {
  const { run } = failureGroup.podFailures[0];
  return [
    probeKill('asks', {
      probe: field === 'livenessProbe' ? 'liveness' : 'startup',
      ...probe,
    }),
    ...(answer === undefined ? [] : [probeKill('answer', answer)]),
    ...(run?.seconds === undefined
      ? []
      : [arithmetic({ seconds: run.seconds, earliest: earliestKillSeconds })]),
    ...(declaredInstead === undefined || port === undefined
      ? []
      : [probeKill('port-not-declared', { port, declared: declaredInstead })]),
    ...setUp(failureGroup),
    ...(cpuCut === undefined ? [] : [probeKill('cpu-cut', { container: failureGroup.container, ...cpuCut })]),
    ...(run?.reason === 'OOMKilled' ? [probeKill('memory-too')] : []),
    ...(run === undefined ? [] : [probeKill('by-signal', { exitCode: run.exitCode, graceSeconds })]),
  ];
}

/** A program with less CPU than before starts and answers more slowly. */
function cpuCutOf(snapshot: Snapshot, failureGroup: FailureGroup): FactsOf<typeof ProbeKillFacts>['cpuCut'] {
  const { podFailures, container } = failureGroup;
  const { spec } = podFailures[0].pod;
  const own = [...spec.initContainers, ...spec.containers].find(({ name }) => name === container);
  const limit = narrower(own?.resources.limits.cpu, spec.resources?.limits.cpu);
  const cut = limit === undefined ? undefined : limitCutOf(snapshot, failureGroup, 'cpu', limit);
  return limit === undefined || cut === undefined ? undefined : { ...cut, limit };
}
