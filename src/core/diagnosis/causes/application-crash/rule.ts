import { quotingLogs, type Statement } from '../../../language/statement.js';
import type { Withheld } from '../../../remediation/remediation.js';
import { type CrashRuledOut, courseOf, crashFinding } from '../../crashes/crash-finding.js';
import { detectEach } from '../../crashes/detect-each.js';
import { lastLinesOf } from '../../crashes/last-lines.js';
import { type Sickness, wellPredecessors } from '../../crashes/sickness.js';
import { crash } from '../../crashes/text.js';
import type {} from '../../finding.js';
import type { Examination, Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { state, text } from './text.js';

/**
 * A container ends itself with an error, and nothing outside it was seen to end it: not the kernel for memory, not
 * the kubelet for a probe, and its command could be run. The most general cause of a crash; whatever is more specific
 * explains it better.
 */
export const applicationCrash: Rule = {
  id: 'application-crash',
  text,
  origin: 'template',
  appliesTo: ['Deployment', 'StatefulSet', 'DaemonSet'],
  needs: ['ReplicaSet', 'ControllerRevision', 'Pod', 'Node', 'Event', 'PodLog'],
  supersedes: ['progress-deadline-exceeded'],
  ...detectEach('application-crash', (examination, sickness) => {
    const { snapshot } = examination;
    const { ailments, container, siblings, ongoing } = sickness;
    const failing = ailments.length;
    return crashFinding(examination, sickness, {
      restsOnSilence: true,
      confidence: sickness.ailments[0].run?.exitCode === killed ? 'possible' : 'likely',
      summary: state('summary', { workload: workloadName(snapshot), container }),
      standing: ongoing
        ? state('standing-crashing', { failing, of: Math.max(failing, siblings.length) })
        : state('standing-recovered', { failing }),
      reasoning: [...courseOf(sickness), ...endOf(sickness), ...lastWords(examination, sickness)],
      ruledOut: ruledOutOf(examination, sickness),
      withheld: withheldOf(sickness),
      advice: [
        {
          title: state('advice-log-title'),
          text: state('advice-log', { container }),
          snippet: logCommand(sickness),
        },
      ],
    });
  }),
};

/** SIGKILL comes from outside; containerd before 2.3 may report an OOM kill as nothing but that. */
const killed = 137;

function endOf({ ailments: [first], container }: Sickness): readonly Statement[] {
  if (first.run === undefined) {
    return [quotingLogs(state('hook-failed', { container, message: first.message }))];
  }
  return [crash('exit', { container, exitCode: first.run.exitCode, reason: first.run.reason })];
}

function lastWords({ snapshot }: Examination, sickness: Sickness): readonly Statement[] {
  const { ailments, container } = sickness;
  const lines = lastLinesOf(snapshot, sickness);
  return [lines?.says ?? crash('no-log', { pod: ailments[0].pod.metadata.name, container })];
}

function ruledOutOf({ snapshot }: Examination, sickness: Sickness): readonly CrashRuledOut[] {
  const { ailments, container, nodes } = sickness;
  const { run } = ailments[0];
  const well = wellPredecessors(snapshot, sickness);
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
          {
            cause: 'liveness-probe-kill',
            because: crash('because-no-probe-kill', { container }),
            restsOn: 'Event' as const,
          },
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

function withheldOf({ nodes }: Sickness): readonly Withheld[] {
  return [
    { kind: 'restart-rollout', because: state('restart-withheld') },
    ...(nodes.length > 1
      ? [{ kind: 'exclude-nodes' as const, because: state('exclude-withheld', { nodes }) }]
      : []),
  ];
}

function logCommand({ ailments: [{ pod }], container }: Sickness): string {
  const { namespace, name } = pod.metadata;
  return `kubectl -n ${namespace} logs ${name} -c ${container} --previous\n`;
}
