import type { Snapshot } from '../../../cluster/snapshot.js';
import { workloadKinds } from '../../../cluster/workload.js';
import { redact } from '../../../redaction/redact.js';
import { courseOf, crashFinding } from '../../crashes/crash-finding.js';
import { detectEach } from '../../crashes/detect-each.js';
import { failingPodsOf } from '../../crashes/failing-pods.js';
import { lastLinesOf } from '../../crashes/last-lines.js';
import type { PodFailure } from '../../crashes/pod-failure.js';
import { isWrittenAbout } from '../../crashes/probe-kill-sign.js';
import { possibleProbeStop } from '../../crashes/stopped-from-outside.js';
import { crash } from '../../crashes/text.js';
import { podNeeds } from '../../needs.js';
import type { Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { ProcessExitsZeroFacts } from './facts.js';
import { state, text } from './text.js';

/**
 * A container ends with exit code 0 under restartPolicy Always, which backs off like a crash: the program is
 * finished, or it went into the background. A probe that can have ended the run is named first, unless the
 * kubelet wrote about the run and reported no failed check.
 */
export const processExitsZero: Rule<typeof ProcessExitsZeroFacts> = {
  id: 'process-exits-zero',
  facts: ProcessExitsZeroFacts,
  text,
  origin: 'template',
  appliesTo: workloadKinds,
  needs: [...podNeeds, 'PodLog'],
  supersedes: ['application-crash', 'progress-deadline-exceeded'],
  ...detectEach('process-exits-zero', (examination, failureGroup) => {
    const { snapshot } = examination;
    const [first] = failureGroup.podFailures;
    if (first.container === undefined) return undefined;
    const { container, nodes } = failureGroup;
    const { command, args, image } = first.container.spec;
    const words = [...command, ...args];
    const facts = { image, command: words.length === 0 ? undefined : redact(words.join(' ')) };
    const lines = lastLinesOf(snapshot, failureGroup);
    const stop = isSilent(snapshot, first) ? possibleProbeStop(failureGroup) : undefined;
    return crashFinding(examination, failureGroup, {
      restsOnSilence: true,
      confidence: stop === undefined ? 'likely' : 'possible',
      summary: state('summary', { workload: workloadName(snapshot), container }),
      facts,
      standing: state(stop === undefined ? 'standing' : 'standing-unclear', failingPodsOf(failureGroup)),
      reasoning: [
        ...courseOf(failureGroup),
        ...(stop?.reasoning ?? []),
        state('backs-off-too'),
        facts.command === undefined
          ? state('no-command', { image })
          : crash('command', { command: facts.command }),
        ...(lines === undefined ? [] : [lines.says]),
      ],
      ruledOut: [
        { cause: 'application-crash', because: state('because-no-error') },
        ...(stop === undefined
          ? [
              {
                cause: 'liveness-probe-kill' as const,
                because: crash('because-no-probe-kill', { container }),
                restsOn: 'Event' as const,
              },
            ]
          : []),
        ...(nodes.length > 1
          ? [{ cause: 'crash-loop-on-node', because: crash('because-several-nodes', { nodes }) }]
          : []),
      ],
      withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
      advice: [
        ...(stop?.advice ?? []),
        { title: state('advice-stay-title'), text: state('advice-stay') },
        {
          title: state('advice-job-title'),
          text: state('advice-job', { kind: snapshot.workload.kind }),
          snippet: `apiVersion: batch/v1\nkind: Job\nspec:\n  template:\n    spec:\n      restartPolicy: OnFailure\n      containers:\n        - name: ${container}\n          image: ${image}\n`,
        },
      ],
    });
  }),
};

/** No event contradicts a kill of the run: the kubelet wrote none about it, or held some back. */
function isSilent({ index }: Snapshot, { pod, run }: PodFailure): boolean {
  return run !== undefined && !isWrittenAbout(run, index.eventsByUid.get(pod.metadata.uid) ?? []);
}
