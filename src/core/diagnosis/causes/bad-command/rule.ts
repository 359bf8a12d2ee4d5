import type { Snapshot } from '../../../cluster/snapshot.js';
import { workloadKinds } from '../../../cluster/workload.js';
import type { Statement } from '../../../language/statement.js';
import { redact } from '../../../redaction/redact.js';
import { refOf } from '../../../remediation/price-of.js';
import type { Confidence } from '../../cause-id.js';
import { courseOf, crashFinding } from '../../crashes/crash-finding.js';
import { detectEach } from '../../crashes/detect-each.js';
import { failingPodsOf } from '../../crashes/failing-pods.js';
import type { FailureGroup } from '../../crashes/failure-group.js';
import type { PodFailure } from '../../crashes/pod-failure.js';
import { causeOfRefusal, isWorkingDirRefused } from '../../crashes/runtime-refusal.js';
import { crash } from '../../crashes/text.js';
import { podNeeds } from '../../needs.js';
import type { Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { BadCommandFacts } from './facts.js';
import { state, text } from './text.js';

/**
 * What the container is told to run cannot be run: not found (127), not executable (126), or not even started
 * by the runtime (`StartError`, 128, `RunContainerError`). Identical on every node and at every restart.
 */
export const badCommand: Rule<typeof BadCommandFacts> = {
  id: 'bad-command',
  facts: BadCommandFacts,
  text,
  origin: 'template',
  appliesTo: workloadKinds,
  needs: podNeeds,
  supersedes: ['crash-loop-after-rollout', 'application-crash', 'progress-deadline-exceeded'],
  ...detectEach('bad-command', (examination, failureGroup) => {
    const { snapshot } = examination;
    const [first] = failureGroup.podFailures;
    if (first.container === undefined) return undefined;
    const { container, nodes } = failureGroup;
    const { spec } = first.container;
    const command = commandOf(failureGroup);
    const architectures = architecturesOf(snapshot, failureGroup);
    const ofDirectory = isWorkingDirRefused(first.message, spec.workingDir);
    return crashFinding(examination, failureGroup, {
      confidence: confidenceOf(first),
      summary: state(ofDirectory ? 'summary-directory' : 'summary', {
        workload: workloadName(snapshot),
        container,
      }),
      facts: { image: spec.image, command, architectures },
      standing: state('standing', failingPodsOf(failureGroup)),
      reasoning: [
        ...courseOf(failureGroup),
        ...(ofDirectory
          ? [state('says', { message: first.message }), state('directory', { path: spec.workingDir })]
          : endOf(failureGroup, command, architectures)),
      ],
      evidence:
        ofDirectory || command === undefined
          ? []
          : [
              {
                object: refOf(first.pod),
                field: `spec.${first.container.role === 'main' ? 'containers' : 'initContainers'}[${container}].command`,
                value: command,
                says: state('ev-command'),
              },
            ],
      ruledOut: [
        { cause: 'application-crash', because: state('because-nothing-ran', { container }) },
        ...(nodes.length > 1
          ? [{ cause: 'crash-loop-on-node', because: crash('because-several-nodes', { nodes }) }]
          : []),
      ],
      withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
      advice: [
        ...(ofDirectory ? [{ title: state('advice-directory-title'), text: state('advice-directory') }] : []),
        {
          title: state('advice-title'),
          text: state('advice', { image: spec.image }),
          snippet: `kubectl -n ${first.pod.metadata.namespace} run try-it --rm -it --restart=Never --image=${shellQuoted(spec.image)} --command -- sh\n`,
        },
      ],
    });
  }),
};

/**
 * Exit codes are a convention that programs may break; what the runtime says of a command is its own word.
 */
function confidenceOf({ container, run, reason, message }: PodFailure): Confidence {
  const isOfRuntime = run === undefined || run.reason === 'StartError' || reason === 'RunContainerError';
  if (isOfRuntime && causeOfRefusal(message, container?.spec.workingDir) === 'bad-command') return 'proven';
  return reason === 'CreateContainerError' ? 'possible' : 'likely';
}

/** For pasting into a shell: an image name is somebody else's text. */
function shellQuoted(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The template's own command line; arguments may hold secrets. */
function commandOf({ podFailures: [{ container }] }: FailureGroup): string | undefined {
  const words = [...(container?.spec.command ?? []), ...(container?.spec.args ?? [])];
  return words.length === 0 ? undefined : redact(words.join(' '));
}

/** Of the nodes, where the runtime cannot execute the program's format. */
function architecturesOf(
  { index }: Snapshot,
  { podFailures, nodes }: FailureGroup,
): readonly string[] | undefined {
  if (!podFailures.some((each) => /exec format error/i.test(each.message))) return undefined;
  const all = nodes.map((node) => index.nodes.get(node)?.status.nodeInfo.architecture ?? '');
  return [...new Set(all)].filter((each) => each !== '');
}

function endOf(
  { podFailures, nodes }: FailureGroup,
  command: string | undefined,
  architectures: readonly string[] | undefined,
): readonly Statement[] {
  const [{ run, message }] = podFailures;
  const says = message === '' ? [] : [state('says', { message })];
  const exitCode = run?.exitCode ?? 128;
  const meaning =
    run?.reason === 'StartError' || exitCode === 128
      ? state('start-error', { exitCode, command })
      : exitCode === 126
        ? state('not-executable', { exitCode, command })
        : state('not-found', { exitCode, command });
  return [
    ...says,
    meaning,
    ...(architectures === undefined ? [] : [state('architecture', { nodes, architectures })]),
  ];
}
