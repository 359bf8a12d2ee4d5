import { conditionOf } from '../../../cluster/metadata.js';
import { hasNode, isActive, type Pod } from '../../../cluster/pod.js';
import { nowOf } from '../../../cluster/snapshot.js';
import { workloadKinds } from '../../../cluster/workload.js';
import { gangOf } from '../../../neighbours/pod-gang.js';
import { refOf } from '../../../remediation/price-of.js';
import { rolloutStateOf } from '../../../rollout/rollout-state.js';
import type { Evidence, RuledOut } from '../../finding.js';
import { waitingNeeds } from '../../needs.js';
import { readinessOf } from '../../readiness-of.js';
import type { Detected, Examination, Rule } from '../../rule.js';
import { longestRefusedSeconds, refusedSince, workloadName } from '../../stuck-rollout.js';
import { blocksOf } from '../../waiting/block.js';
import { isExplained } from '../../waiting/cause-of.js';
import { pluginWords } from '../../waiting/plugin-words.js';
import { waiting } from '../../waiting/text.js';
import { SchedulerRefusalFacts } from './facts.js';
import { state, text } from './text.js';

/**
 * The scheduler refuses pods in words that are not kube-scheduler's own, and nothing that is simulated
 * refuses them: a plugin, an extender, another scheduler, or an error. The words are quoted, and no more is
 * claimed.
 */
export const schedulerRefusal: Rule<typeof SchedulerRefusalFacts> = {
  id: 'scheduler-refusal',
  facts: SchedulerRefusalFacts,
  text,
  origin: 'template',
  appliesTo: workloadKinds,
  needs: waitingNeeds,
  supersedes: ['progress-deadline-exceeded'],
  detect(examination) {
    const explained = new Set(
      blocksOf(examination)
        .filter((block) => isExplained(examination, block))
        .flatMap(({ pods }) => [...pods]),
    );
    const [first, ...more] = rolloutStateOf(examination.snapshot).pods.filter(
      (pod) => !explained.has(pod) && isRefusedInForeignWords(examination, pod),
    );
    return first === undefined ? undefined : findingOf(examination, [first, ...more]);
  },
};

/** Plugins that wait for a whole group of pods refuse the first ones for some seconds. */
const patienceMs = 30_000;

function isRefusedInForeignWords({ snapshot, placement }: Examination, pod: Pod): boolean {
  if (!isActive(pod) || hasNode(pod) || (pod.status.nominatedNodeName ?? '') !== '') return false;
  if (nowOf(snapshot) - Date.parse(refusedSince(pod) ?? '') < patienceMs) return false;
  return pluginWords(pod).length > 0 && placement.evaluate(pod).outcome !== 'refused';
}

type Refused = readonly [Pod, ...Pod[]];

const shownPods = 5;
const shownWords = 5;

function findingOf(
  { snapshot, placement }: Examination,
  pods: Refused,
): Detected<typeof SchedulerRefusalFacts> {
  const ready = readinessOf(snapshot);
  const [pod] = pods;
  const scheduler = pod.spec.schedulerName;
  const evaluation = placement.evaluate(pod);
  const nodes =
    evaluation.outcome === 'fits'
      ? evaluation.nodes.filter(({ outcome }) => outcome === 'fits').map(({ node }) => node)
      : [];
  const reports = [...new Set(pods.flatMap((each) => [...pluginWords(each)]))].slice(0, shownWords);
  const gang = gangOf(snapshot.index, pod);
  const facts = {
    scheduler,
    pods: pods.map(({ metadata }) => metadata.name),
    waitingSeconds: longestRefusedSeconds(snapshot, pods),
    reports,
    fittingNodes: nodes,
    ...(gang === undefined
      ? {}
      : {
          gang: {
            podGroup: gang.name,
            minMember: gang.minMember,
            members: gang.members.length,
            scheduled: gang.scheduled,
          },
        }),
  };
  return {
    confidence: 'possible',
    facts,
    summary: state('summary', { workload: workloadName(snapshot), pods: facts.pods.length, scheduler }),
    standing: state('standing', {
      forSeconds: facts.waitingSeconds,
      ready: ready.pods,
      wanted: ready.wanted,
    }),
    reasoning: [
      ...reports.map((each) => state('said', { scheduler, words: each })),
      ...(facts.gang === undefined ? [] : [state('group', facts.gang)]),
      nodes.length > 0
        ? state('fits', { pod: pod.metadata.name, nodes })
        : state('unchecked', { pod: pod.metadata.name }),
    ],
    evidence: pods.slice(0, shownPods).map((each) => evidenceOf(each)),
    ruledOut: ruledOutOf(nodes),
    nextAttempt: { what: state('next-attempt', { scheduler }) },
    withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
    advice: [{ title: state('advice-title', { scheduler }), text: state('advice', { scheduler }) }],
    weakenedBy: [state('not-simulated')],
  };
}

function evidenceOf(pod: Pod): Evidence {
  const at = refusedSince(pod);
  return {
    object: refOf(pod),
    field: 'status.conditions[PodScheduled]',
    value: conditionOf(pod.status, 'PodScheduled')?.message ?? '',
    ...(at === undefined ? {} : { at }),
    says: state('ev-refused', { scheduler: pod.spec.schedulerName }),
  };
}

function ruledOutOf(nodes: readonly string[]): readonly RuledOut[] {
  return [
    ...(nodes.length === 0
      ? []
      : [{ cause: 'insufficient-capacity', because: state('because-fits', { nodes }) }]),
    { cause: 'scheduling-gated', because: waiting('because-tried') },
  ];
}
