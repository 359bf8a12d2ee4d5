import { nowOf } from '../../../cluster/snapshot.js';
import { workloadKinds } from '../../../cluster/workload.js';
import { leastOf } from '../../../collections/collections.js';
import { crashFinding } from '../../crashes/crash-finding.js';
import { detectEach } from '../../crashes/detect-each.js';
import { crashFactsOf } from '../../crashes/facts.js';
import { failingPodsOf } from '../../crashes/failing-pods.js';
import type { FailureGroup } from '../../crashes/failure-group.js';
import { agentAdvice, troubledAgents } from '../../crashes/node-agents.js';
import { crash } from '../../crashes/text.js';
import { type Advice, blamedNode } from '../../finding.js';
import { podNeeds } from '../../needs.js';
import type { Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { attachmentOf, driverMissingOn } from './attachment.js';
import { MountFailureFacts } from './facts.js';
import { type MissingSource, missingSource, volumeNamed } from './missing-source.js';
import { state, text } from './text.js';

/** A mount that succeeds at the second try is no trouble: it waits for caches and attachments. */
const patienceSeconds = 60;

/**
 * A pod has its node and cannot start, since a volume cannot be attached or mounted there. The message names
 * the volume; where it is made of a ConfigMap or Secret that is missing, that is named.
 */
export const mountFailure: Rule<typeof MountFailureFacts> = {
  id: 'mount-failure',
  facts: MountFailureFacts,
  text,
  origin: 'volumes',
  appliesTo: workloadKinds,
  needs: [...podNeeds, 'PersistentVolumeClaim', 'PersistentVolume', 'VolumeAttachment', 'CSINode'],
  supersedes: ['progress-deadline-exceeded'],
  ...detectEach('mount-failure', (examination, failureGroup) => {
    const { snapshot } = examination;
    const { podFailures, nodes } = failureGroup;
    const [{ pod, message, events }] = podFailures;
    const since = podFailures
      .flatMap((each) => each.events)
      .map(({ firstSeen }) => Date.parse(firstSeen ?? ''))
      .filter((time) => !Number.isNaN(time));
    const sinceSeconds = since.length === 0 ? undefined : (nowOf(snapshot) - leastOf(since)) / 1000;
    if (sinceSeconds !== undefined && sinceSeconds < patienceSeconds) return undefined;
    const missing = missingSource(pod, message);
    const facts = {
      volume: missing?.volume ?? volumeNamed(pod, message),
      missing: missing && { kind: missing.kind, name: missing.name, key: missing.key },
      sinceSeconds,
      times: events.reduce((sum, { count }) => sum + count, 0),
    };
    const base = crashFactsOf(failureGroup);
    const driver = driverMissingOn(snapshot, pod, message);
    const attachment = attachmentOf(snapshot, pod);
    const agents = missing === undefined ? troubledAgents(snapshot, nodes, `${message} ${driver ?? ''}`) : [];
    const workload = workloadName(snapshot);
    return crashFinding(examination, failureGroup, {
      confidence: missing === undefined ? 'likely' : 'proven',
      ...(driver === undefined ? {} : blamedNode(nodes)),
      // The driver of a node and its attachments are the same for every revision.
      ...(driver !== undefined || attachment !== undefined ? { origin: 'surroundings' as const } : {}),
      summary:
        missing === undefined
          ? state('summary', { workload, volume: facts.volume })
          : state('summary-missing', { workload, kind: missing.kind, name: missing.name, key: missing.key }),
      facts,
      standing: state('standing', { ...failingPodsOf(failureGroup), sinceSeconds }),
      holders:
        missing === undefined
          ? []
          : [{ kind: missing.kind, namespace: pod.metadata.namespace, name: missing.name }],
      reasoning: [
        crash('where', { pods: base.pods, nodes }),
        crash('event-says', { message, times: facts.times }),
        ...(missing === undefined
          ? []
          : [
              state('source', { volume: missing.volume, kind: missing.kind, name: missing.name }),
              state('keeps-asking'),
            ]),
        ...(driver === undefined ? [] : [state('driver-missing', { driver, node: pod.spec.nodeName ?? '' })]),
        ...agents.map((each) => crash('agent', { ...each })),
        ...(attachment === undefined ? [] : attachment.reasoning),
        ...(podFailures[0].reason === 'FailedAttachVolume' && attachment === undefined
          ? [state('attach-waits')]
          : []),
      ],
      ruledOut: [
        { cause: 'unsatisfiable-placement', because: crash('because-has-node') },
        { cause: 'application-crash', because: crash('because-never-started') },
        { cause: 'config-missing', because: state('because-not-env') },
      ],
      ...(attachment === undefined ? {} : { evidence: attachment.evidence }),
      withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
      advice: [
        ...agentAdvice(agents),
        ...(attachment?.advice ?? []),
        ...(driver === undefined || agents.length > 0 ? [] : [driverAdvice(driver, nodes)]),
        adviceOf(failureGroup, missing),
      ],
    });
  }),
};

function driverAdvice(driver: string, nodes: readonly string[]): Advice {
  return {
    title: state('advice-driver-title', { driver }),
    text: state('advice-driver', { nodes }),
    snippet: nodes.map((node) => `kubectl get pods -A --field-selector spec.nodeName=${node}\n`).join(''),
  };
}

function adviceOf(
  { podFailures: [{ pod }], nodes }: FailureGroup,
  missing: MissingSource | undefined,
): Advice {
  if (missing === undefined) {
    return { title: state('advice-node-title'), text: state('advice-node', { nodes }) };
  }
  const { kind, name, key } = missing;
  const field = kind === 'ConfigMap' ? 'data' : 'stringData';
  return {
    title: state('advice-add-title', { kind, name }),
    text: crash('advice-add'),
    snippet: `apiVersion: v1\nkind: ${kind}\nmetadata:\n  namespace: ${pod.metadata.namespace}\n  name: ${name}\n${field}:\n  ${key ?? 'FILE'}: "…"\n`,
  };
}
