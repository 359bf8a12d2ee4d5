import { inRole, type Statement } from '../../../engine/language/statement.js';
import type { Pod } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { isUnreadNearby } from '../../../engine/objects/unread.js';
import { workloadKinds } from '../../../engine/objects/workload.js';
import type { Incarnation } from '../../../engine/statistics/incarnation.js';
import type { Concentration } from '../../../engine/statistics/node-concentration.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import {
  evidenceOf,
  failureOf,
  isBeforeStart,
  unreadStatements,
} from '../../findings/crashes/crash-finding.js';
import { groupFailures, podsOf } from '../../findings/crashes/failure-group.js';
import { lastLinesOn } from '../../findings/crashes/last-lines.js';
import { leadsOf } from '../../findings/crashes/node-leads.js';
import { crash } from '../../findings/crashes/text.js';
import { type Advice, blamedNode, type Fixes } from '../../findings/finding.js';
import { podSimulatorOf } from '../../findings/pod-simulator-of.js';
import { readinessOf } from '../../findings/readiness-of.js';
import type { Detected, Examination, Rule, Suspected } from '../../findings/rule.js';
import { podNeeds } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import { proposeExcludeNodes } from '../../fixes/kinds/exclude-nodes/propose.js';
import type { NotRecommended } from '../../fixes/remediation.js';
import { experimentWith, showsNothing } from './experiment.js';
import {
  CrashLoopOnNodeFacts,
  historyFactsOf,
  historyStatements,
  rememberedEvidence,
} from './from-history.js';
import { isRecent, type Observation, observe, othersOn } from './observation.js';
import { state, text } from './text.js';

/**
 * Crashes concentrate on nodes beyond chance: exact one-sided tests over pod incarnations, stratified by
 * workload and revision, corrected for having looked at every node. Where the data cannot tell and an
 * experiment would, that is said as a note, which hides no other cause.
 */
export const crashLoopOnNode: Rule<typeof CrashLoopOnNodeFacts> = {
  id: 'crash-loop-on-node',
  facts: CrashLoopOnNodeFacts,
  text,
  origin: 'surroundings',
  shows: 'pods-by-node',
  appliesTo: workloadKinds,
  needs: [...podNeeds, 'PodLog'],
  supersedes: [
    'application-crash',
    'process-exits-zero',
    'bad-command',
    'node-out-of-memory',
    'liveness-probe-kill',
    'startup-probe-kill',
    'crash-loop-after-rollout',
    'evicted',
    'init-container-stuck',
    'progress-deadline-exceeded',
  ],
  explains: (own, other) =>
    other.nodes.every((node) => own.nodes.includes(node)) && !isOfSomeNodesOnly(own, other),
  detect(examination) {
    const observation = observe(examination.snapshot);
    if (observation === undefined) return undefined;
    const { concentration } = observation;
    switch (concentration.verdict) {
      case 'concentrated':
        return isRecent(examination.snapshot, observation, concentration.nodes) &&
          isCrash(examination.snapshot, observation, concentration.nodes)
          ? concentrated(examination, observation, concentration)
          : undefined;
      case 'cannot-tell':
        return undecided(examination, observation, concentration);
      default:
        return undefined;
    }
  },
};

/** Failed pulls, mounts and sandboxes have their own causes. If nothing else failed, no container crashed. */
function isCrash(snapshot: Snapshot, { own }: Observation, nodes: readonly string[]): boolean {
  const unstarted = groupFailures(snapshot)
    .flatMap(({ podFailures }) => podFailures)
    .filter(isBeforeStart);
  const uids = new Set(unstarted.map(({ pod }) => pod.metadata.uid));
  return own.some(({ uid, node, crashed }) => crashed && nodes.includes(node) && !uids.has(uid));
}

/**
 * On some of the nodes pods fail, and none of them in this way: the nodes do not have one failure in common.
 */
function isOfSomeNodesOnly({ nodes, failures: own = [] }: Suspected, { failures = [] }: Suspected): boolean {
  const ways = new Set(failures.map(({ cause }) => cause));
  return nodes.some((name) => {
    const there = own.filter(({ node }) => node === name);
    return failures.length > 0 && there.length > 0 && !there.some(({ cause }) => ways.has(cause));
  });
}

type Concentrated = Extract<Concentration, { readonly verdict: 'concentrated' }>;
type Undecided = Extract<Concentration, { readonly verdict: 'cannot-tell' }>;

type Found = Detected<typeof CrashLoopOnNodeFacts>;

function concentrated(examination: Examination, observation: Observation, found: Concentrated): Found {
  const { snapshot } = examination;
  const { own } = observation;
  const nodes = found.nodes.filter((node) => own.some((one) => one.crashed && one.node === node)).sort();
  const bad = new Set(found.nodes);
  const elsewhere = own.filter(({ node }) => !bad.has(node));
  const gone = new Set(observation.remembered?.deleted.map(({ uid }) => uid));
  const well = elsewhere.filter(({ uid, crashed }) => !crashed && !gone.has(uid));
  const good = distinctNodes(well);
  const pods = podsOf(snapshot);
  const leads = leadsOf(snapshot, nodes, good, pods).slice(0, 3);
  const facts = {
    ...countsOf(snapshot, observation, found.nodes, found),
    otherWorkloads: othersOn(observation, found.nodes),
    differences: leads.map(({ name, value, elsewhere: other }) => ({ name, value, elsewhere: other })),
    experimentNodes: [],
  };
  const { otherWorkloads } = facts;
  const ongoing = isOngoing(examination, nodes);
  return {
    ...common(examination, observation, nodes, pods),
    confidence: 'likely',
    severity: ongoing ? 'critical' : 'warning',
    facts,
    summary: state('summary', { workload: workloadName(snapshot), nodes }),
    standing: state('standing', { nodes, ongoing }),
    reasoning: [
      ...countStatements(nodes, facts),
      ...lastLinesOn(snapshot, nodes),
      chance(facts.pValue),
      ...(otherWorkloads.length === 0 ? [] : [state('others-too', { workloads: otherWorkloads })]),
      ...(leads.length === 0
        ? isUnreadNearby(snapshot, 'Node')
          ? []
          : [state('no-lead')]
        : [...facts.differences.map((each) => state('lead', each)), state('leads-are-leads')]),
      ...youngOnes(facts),
      served(examination),
    ],
    ruledOut: [
      {
        cause: 'crash-loop-after-rollout',
        because: state('because-not-everywhere', { pods: well.length, nodes: good.length }),
      },
      { cause: 'application-crash', because: state('because-same-revision', { pods: well.length }) },
    ],
    ...fixesFor(examination, observation, nodes, undefined),
    advice: nodes.map(aboutNode),
  };
}

function undecided(examination: Examination, observation: Observation, found: Undecided): Found | undefined {
  const { suspect, experiment } = found;
  if (found.because === 'one-node' || experiment === undefined || experiment.onto.length === 0)
    return undefined;
  const facts = {
    ...countsOf(examination.snapshot, observation, [suspect], found),
    cannotTell: found.because,
    otherWorkloads: [],
    differences: [],
    experimentNodes: experiment.onto,
  };
  if (facts.crashedThere === 0 || !isRecent(examination.snapshot, observation, [suspect])) return undefined;
  if (!isCrash(examination.snapshot, observation, [suspect])) return undefined;
  if (showsNothing(examination.snapshot, observation, [suspect], experiment.recreate)) return undefined;
  const pods = podsOf(examination.snapshot);
  return {
    ...common(examination, observation, [suspect], pods),
    confidence: 'possible',
    severity: 'info',
    facts,
    summary: state('summary-unsure', { workload: workloadName(examination.snapshot), node: suspect }),
    standing: state('standing-unsure', { node: suspect }),
    reasoning: [...countStatements([suspect], facts), whyUnsure(found), ...youngOnes(facts)],
    ...fixesFor(examination, observation, [suspect], experiment.recreate),
    advice: [
      {
        title: state('advice-experiment-title'),
        text: state('advice-experiment', { node: suspect, onto: experiment.onto }),
      },
    ],
  };
}

function common(
  examination: Examination,
  observation: Observation,
  nodes: readonly string[],
  pods: readonly Pod[],
): Pick<Found, 'failures' | 'nodes' | 'blames' | 'evidence' | 'weakenedBy'> {
  const { snapshot } = examination;
  const uids = new Set(pods.map(({ metadata: { uid } }) => uid));
  const podFailures = groupFailures(snapshot).flatMap((failureGroup) => failureGroup.podFailures);
  return {
    nodes: [...nodes],
    ...blamedNode(nodes),
    failures: podFailures.map(failureOf).filter(({ node }) => nodes.includes(node)),
    evidence: [
      ...podFailures
        .filter(({ pod }) => uids.has(pod.metadata.uid) && nodes.includes(pod.spec.nodeName ?? ''))
        .slice(0, 3)
        .flatMap(evidenceOf),
      ...rememberedEvidence(snapshot, observation, nodes),
    ],
    weakenedBy: unreadStatements(snapshot),
  };
}

type Counts = ReturnType<typeof countsOf>;

/** The counts that the test compares, and its result. */
function countsOf(
  snapshot: Snapshot,
  observation: Observation,
  nodes: readonly string[],
  { verdict, pAdjusted, table }: Concentrated | Undecided,
) {
  const there = observation.own.filter(({ node }) => nodes.includes(node));
  const elsewhere = observation.own.filter(({ node }) => !nodes.includes(node));
  return {
    verdict,
    crashedThere: crashedOf(there),
    podsThere: there.length,
    crashedElsewhere: crashedOf(elsewhere),
    podsElsewhere: elsewhere.length,
    nodesElsewhere: distinctNodes(elsewhere).length,
    pValue: pAdjusted,
    tooYoung: table.reduce((sum, { censored }) => sum + censored, 0),
    history: historyFactsOf(snapshot, observation, nodes),
  };
}

function countStatements(nodes: readonly string[], facts: Counts): readonly Statement[] {
  return [
    state('there', { nodes, crashed: facts.crashedThere, total: facts.podsThere }),
    state('elsewhere', {
      crashed: facts.crashedElsewhere,
      total: facts.podsElsewhere,
      nodes: facts.nodesElsewhere,
    }),
    ...historyStatements(facts),
  ];
}

function isOngoing({ snapshot }: Examination, nodes: readonly string[]): boolean {
  return groupFailures(snapshot).some(({ podFailures }) =>
    podFailures.some(({ ongoing, pod }) => ongoing && nodes.includes(pod.spec.nodeName ?? '')),
  );
}

function chance(p: number): Statement {
  return state('chance', { p: probability(p), oneIn: Math.round(1 / Math.max(p, 1e-9)) });
}

/** Two figures are all that people compare. */
function probability(p: number): string {
  return p < 0.0001 ? '< 0.0001' : String(Number(p.toPrecision(2)));
}

function whyUnsure({ because, suspect, revision, pAdjusted }: Undecided): Statement {
  if (because === 'unequal-exposure') return state('unsure-exposure', { p: probability(pAdjusted) });
  if (because === 'one-pod-per-node') return state('unsure-one-pod-each');
  if (because === 'confounded-with-revision') {
    return state('unsure-revision', { revision: revision ?? '', node: suspect });
  }
  return state('unsure-few', { p: probability(pAdjusted) });
}

function youngOnes({ tooYoung: pods }: Counts): readonly Statement[] {
  return pods === 0 ? [] : [state('too-young', { pods })];
}

function served({ snapshot }: Examination): Statement {
  const { pods, wanted } = readinessOf(snapshot);
  return inRole('readiness', crash('served', { ready: pods, wanted }));
}

function aboutNode(node: string): Advice {
  return {
    title: state('advice-node-title', { node }),
    text: state('advice-node', { node }),
    snippet: `kubectl describe node ${node}\nkubectl cordon ${node}\n`,
  };
}

function crashedOf(incarnations: readonly Incarnation[]): number {
  return incarnations.filter(({ crashed }) => crashed).length;
}

function distinctNodes(incarnations: readonly Incarnation[]): readonly string[] {
  return [...new Set(incarnations.map(({ node }) => node))].sort();
}

/**
 * Excludes the nodes when the evidence is strong enough for one click. Otherwise states what is missing and
 * offers to recreate one crashing pod on another node, which provides that evidence.
 */
function fixesFor(
  examination: Examination,
  observation: Observation,
  nodes: readonly string[],
  recreate: string | undefined,
): Fixes {
  const { snapshot, placement } = examination;
  const usual: readonly NotRecommended[] = [
    { kind: 'undo-rollout', because: state('undo-withheld') },
    { kind: 'restart-rollout', because: state('restart-withheld') },
  ];
  if (observation.missing.length === 0) {
    const simulator = podSimulatorOf(examination);
    const offer = proposeExcludeNodes({
      snapshot,
      state: rolloutStateOf(snapshot),
      placement,
      simulator,
      nodes,
    });
    return { remediations: offer.remediations, withheld: [...offer.withheld, ...usual] };
  }
  const [missing] = observation.missing.filter((each) => each !== 'not-concentrated');
  const because = state('exclude-withheld', { because: missing ?? 'p-too-large' });
  const experiment = experimentWith(examination, observation, nodes, recreate);
  return {
    remediations: experiment.remediations,
    withheld: [{ kind: 'exclude-nodes', because }, ...experiment.withheld, ...usual],
  };
}
