import { nowOf, type Snapshot } from '../../../cluster/snapshot.js';
import { workloadKinds } from '../../../cluster/workload.js';
import { compareText } from '../../../collections/collections.js';
import { redact } from '../../../redaction/redact.js';
import { containersOf } from '../../crashes/container-view.js';
import { crashFinding } from '../../crashes/crash-finding.js';
import { detectEach } from '../../crashes/detect-each.js';
import { crashFactsOf } from '../../crashes/facts.js';
import { failingPodsOf } from '../../crashes/failing-pods.js';
import type { FailureGroup } from '../../crashes/failure-group.js';
import { lastLinesOf } from '../../crashes/last-lines.js';
import { crash } from '../../crashes/text.js';
import { podNeeds } from '../../needs.js';
import type { Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { InitContainerStuckFacts } from './facts.js';
import { state, text } from './text.js';

/** An init container runs for minutes on end, so that the containers after it never start. */
export const initContainerStuck: Rule<typeof InitContainerStuckFacts> = {
  id: 'init-container-stuck',
  facts: InitContainerStuckFacts,
  text,
  origin: 'template',
  appliesTo: workloadKinds,
  needs: [...podNeeds, 'PodLog'],
  supersedes: ['progress-deadline-exceeded'],
  ...detectEach('init-container-stuck', (examination, failureGroup) => {
    const { snapshot } = examination;
    const { podFailures, container } = failureGroup;
    const [{ pod, container: view }] = podFailures;
    const words = [...(view?.spec.command ?? []), ...(view?.spec.args ?? [])];
    const facts = {
      runningSeconds: longestOf(snapshot, failureGroup),
      command: words.length === 0 ? undefined : redact(words.join(' ')),
      containersWaiting: positionOf(failureGroup).waiting,
      unreadyServices: dependencies(snapshot, words.join(' ')),
    };
    const { pods } = crashFactsOf(failureGroup);
    const lines = lastLinesOf(snapshot, failureGroup);
    return crashFinding(examination, failureGroup, {
      confidence: 'likely',
      summary: state('summary', { workload: workloadName(snapshot), container }),
      facts,
      standing: state('standing', {
        ...failingPodsOf(failureGroup),
        longest: facts.runningSeconds,
      }),
      reasoning: [
        state('running', { container, pods }),
        ...(facts.containersWaiting.length === 0 ? [] : [state('position', positionOf(failureGroup))]),
        ...(facts.command === undefined ? [] : [crash('command', { command: facts.command })]),
        ...facts.unreadyServices.map(({ name, ...counts }) =>
          state('waits-for-service', { service: name, ...counts }),
        ),
        ...(lines === undefined ? [] : [lines.says]),
      ],
      ruledOut: [{ cause: 'application-crash', because: state('because-no-crash', { container }) }],
      withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
      advice: [
        {
          title: state('advice-title'),
          text: state('advice', { container }),
          snippet: `kubectl -n ${pod.metadata.namespace} logs ${pod.metadata.name} -c ${container}\n`,
        },
      ],
    });
  }),
};

function longestOf(snapshot: Snapshot, { podFailures }: FailureGroup): number {
  const starts = podFailures.map(({ container }) =>
    Date.parse(container?.status?.state.running?.startedAt ?? ''),
  );
  return Math.max(0, ...starts.map((start) => (Number.isNaN(start) ? 0 : (nowOf(snapshot) - start) / 1000)));
}

function positionOf({ podFailures: [{ pod }], container }: FailureGroup) {
  const all = containersOf(pod).filter(({ role }) => role !== 'ephemeral');
  const number = all.findIndex(({ name }) => name === container) + 1;
  return { number, of: all.length, waiting: all.slice(number).map(({ name }) => name) };
}

/** Workloads of the namespace that the command names and that are not whole: likely what it waits for. */
function dependencies({ index, workload }: Snapshot, command: string) {
  const words = new Set(command.split(/[^a-z0-9-]+/));
  return [...index.objects.Deployment, ...index.objects.StatefulSet]
    .filter(
      ({ metadata, spec, status }) =>
        metadata.namespace === workload.metadata.namespace &&
        metadata.uid !== workload.metadata.uid &&
        words.has(metadata.name) &&
        status.readyReplicas < spec.replicas,
    )
    .sort((a, b) => compareText(a.metadata.name, b.metadata.name))
    .map(({ metadata, spec, status }) => ({
      name: metadata.name,
      ready: status.readyReplicas,
      wanted: spec.replicas,
    }));
}
