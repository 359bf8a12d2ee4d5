import { podNames } from '../../../cluster/pod-key.js';
import { workloadKinds } from '../../../cluster/workload.js';
import { quotingLogs, type Statement } from '../../../language/statement.js';
import type { NotRecommended } from '../../../remediation/remediation.js';
import { deletionBeside, readyBeside } from '../../crashes/beside-a-ready-one.js';
import { type CrashRuledOut, courseOf, crashFinding, podsStatement } from '../../crashes/crash-finding.js';
import { detectEach } from '../../crashes/detect-each.js';
import { CrashFacts, crashFactsOf } from '../../crashes/facts.js';
import { failingPodsOf } from '../../crashes/failing-pods.js';
import { type FailureGroup, healthyPredecessors } from '../../crashes/failure-group.js';
import { lastLinesOf } from '../../crashes/last-lines.js';
import { stopOf } from '../../crashes/stopped-from-outside.js';
import { crash } from '../../crashes/text.js';
import { endingOfGroup } from '../../endings/ending.js';
import { podNeeds } from '../../needs.js';
import type { Examination, Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { state, text } from './text.js';

/**
 * A container ends itself with an error, and nothing outside it was seen to end it: not the kernel for
 * memory, not the kubelet for a probe, and its command could be run. The most general cause of a crash;
 * whatever is more specific explains it better.
 */
export const applicationCrash: Rule<typeof CrashFacts> = {
  id: 'application-crash',
  facts: CrashFacts,
  text,
  origin: 'template',
  appliesTo: workloadKinds,
  needs: [...podNeeds, 'PodLog'],
  supersedes: ['progress-deadline-exceeded'],
  ...detectEach('application-crash', (examination, failureGroup) => {
    const { snapshot } = examination;
    const { container } = failureGroup;
    const facts = crashFactsOf(failureGroup);
    const pods = failingPodsOf(failureGroup);
    const ending = endingOfGroup(snapshot, failureGroup);
    const stop = stopOf(failureGroup);
    const ready = readyBeside(failureGroup);
    const deletion = deletionBeside(examination, failureGroup, ready);
    return crashFinding(examination, failureGroup, {
      restsOnSilence: true,
      confidence: facts.exitCode === killed ? 'possible' : 'likely',
      summary: state('summary', { workload: workloadName(snapshot), container }),
      facts: { ending: ending?.kind },
      standing: facts.ongoing
        ? state('standing-crashing', pods)
        : state('standing-recovered', { failing: pods.failing }),
      reasoning: [
        podsStatement(failureGroup),
        ...lastWords(examination, failureGroup),
        ...(ending?.reasoning ?? []),
        ...courseOf(failureGroup).slice(1),
        ...endOf(failureGroup),
        ...(stop?.reasoning ?? []),
        ...(ready.length === 0 ? [] : [state('ready-beside', { pods: podNames(ready) })]),
      ],
      ruledOut: ruledOutOf(examination, failureGroup, stop?.byProbe !== undefined),
      remediations: deletion.remediations,
      withheld: [...notRecommendedOf(failureGroup, ready.length > 0), ...deletion.withheld],
      advice: [
        ...(ending === undefined ? [] : [ending.advice]),
        ...(stop?.advice ?? []),
        {
          title: state('advice-log-title'),
          text: state(stop === undefined ? 'advice-log' : 'advice-log-stopped', { container }),
          snippet: logCommand(failureGroup),
        },
      ],
      ...(ending?.origin === undefined ? {} : { origin: ending.origin }),
    });
  }),
};

/** SIGKILL comes from outside; containerd before 2.3 may report an OOM kill as nothing but that. */
const killed = 137;

function endOf({ podFailures: [first], container }: FailureGroup): readonly Statement[] {
  if (first.run === undefined) {
    return [quotingLogs(state('hook-failed', { container, message: first.message }))];
  }
  return [crash('exit', { container, exitCode: first.run.exitCode, reason: first.run.reason })];
}

function lastWords({ snapshot }: Examination, failureGroup: FailureGroup): readonly Statement[] {
  const { podFailures, container } = failureGroup;
  const lines = lastLinesOf(snapshot, failureGroup);
  return [lines?.says ?? crash('no-log', { pod: podFailures[0].pod.metadata.name, container })];
}

function ruledOutOf(
  { snapshot }: Examination,
  failureGroup: FailureGroup,
  mayBeProbe: boolean,
): readonly CrashRuledOut[] {
  const { podFailures, container, nodes } = failureGroup;
  const { run } = podFailures[0];
  const well = healthyPredecessors(snapshot, failureGroup);
  return [
    ...(run === undefined
      ? []
      : [
          ...(run.exitCode === killed
            ? []
            : [
                {
                  cause: 'out-of-memory',
                  because: crash('because-not-oom', { container, reason: run.reason }),
                },
              ]),
          ...(mayBeProbe
            ? []
            : [
                {
                  cause: 'liveness-probe-kill',
                  because: crash('because-no-probe-kill', { container }),
                  restsOn: 'Event' as const,
                },
              ]),
          {
            cause: 'process-exits-zero',
            because: crash('because-exit', { exitCode: run.exitCode, reason: run.reason }),
          },
          { cause: 'bad-command', because: crash('because-it-ran', { container, seconds: run.seconds }) },
        ]),
    ...(nodes.length > 1
      ? [{ cause: 'crash-loop-on-node', because: crash('because-several-nodes', { nodes }) }]
      : []),
    ...(well.length === 0
      ? [{ cause: 'crash-loop-after-rollout', because: crash('because-no-predecessor') }]
      : []),
  ];
}

function notRecommendedOf({ nodes }: FailureGroup, isBesideReady: boolean): readonly NotRecommended[] {
  return [
    {
      kind: 'restart-rollout',
      because: state(isBesideReady ? 'restart-withheld-beside' : 'restart-withheld'),
    },
    ...(nodes.length > 1
      ? [{ kind: 'exclude-nodes' as const, because: state('exclude-withheld', { nodes }) }]
      : []),
  ];
}

function logCommand({ podFailures: [{ pod }], container }: FailureGroup): string {
  const { namespace, name } = pod.metadata;
  return `kubectl -n ${namespace} logs ${name} -c ${container} --previous\n`;
}
