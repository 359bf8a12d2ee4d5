import { workloadKinds } from '../../../cluster/workload.js';
import { redact } from '../../../redaction/redact.js';
import { courseOf, crashFinding } from '../../crashes/crash-finding.js';
import { detectEach } from '../../crashes/detect-each.js';
import { failingPodsOf } from '../../crashes/failing-pods.js';
import { lastLinesOf } from '../../crashes/last-lines.js';
import { crash } from '../../crashes/text.js';
import { podNeeds } from '../../needs.js';
import type { Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { ProcessExitsZeroFacts } from './facts.js';
import { state, text } from './text.js';

/**
 * A container ends with exit code 0 under restartPolicy Always, which backs off like a crash: the program is finished,
 * or it went into the background. Not said of a container that the kubelet ended for a probe.
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
    return crashFinding(examination, failureGroup, {
      restsOnSilence: true,
      confidence: 'likely',
      summary: state('summary', { workload: workloadName(snapshot), container }),
      facts,
      standing: state('standing', failingPodsOf(failureGroup)),
      reasoning: [
        ...courseOf(failureGroup),
        state('backs-off-too'),
        facts.command === undefined
          ? state('no-command', { image })
          : crash('command', { command: facts.command }),
        ...(lines === undefined ? [] : [lines.says]),
      ],
      ruledOut: [
        { cause: 'application-crash', because: state('because-no-error') },
        {
          cause: 'liveness-probe-kill',
          because: crash('because-no-probe-kill', { container }),
          restsOn: 'Event' as const,
        },
        ...(nodes.length > 1
          ? [{ cause: 'crash-loop-on-node', because: crash('because-several-nodes', { nodes }) }]
          : []),
      ],
      withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
      advice: [
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
