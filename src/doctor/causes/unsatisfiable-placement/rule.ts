import type { Statement } from '../../../engine/language/statement.js';
import type { ClusterIndex } from '../../../engine/objects/cluster-index.js';
import type { Pod } from '../../../engine/objects/pod.js';
import type { PodSpec } from '../../../engine/objects/pod-spec.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { type Workload, workloadKinds } from '../../../engine/objects/workload.js';
import { queuedWorkloadOf } from '../../../engine/queues/queued-workload.js';
import type { Reason } from '../../../engine/scheduler/reason.js';
import { resourceOf } from '../../../engine/scheduler/resource-name.js';
import { agentAdvice, troubledDevicePlugins } from '../../findings/crashes/node-agents.js';
import { crash } from '../../findings/crashes/text.js';
import type { Advice, Evidence, RuledOut } from '../../findings/finding.js';
import type { Examination, Rule } from '../../findings/rule.js';
import { waitingNeeds } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import { limitAdvice, spreadStatements } from '../../findings/waiting/advice.js';
import type { Block } from '../../findings/waiting/block.js';
import { nearestOf, nodesOf, waitingFactsOf } from '../../findings/waiting/block.js';
import { blocksFor } from '../../findings/waiting/cause-of.js';
import type { WaitingFacts } from '../../findings/waiting/facts.js';
import {
  autoscalerStatements,
  refusalFor,
  ruledOutByWaiting,
  waitingFinding,
} from '../../findings/waiting/finding.js';
import { type RefusingNode, refusalsIn, refusalsOf } from '../../findings/waiting/refusal.js';
import { requirementText } from '../../findings/waiting/refusal-words.js';
import { waiting } from '../../findings/waiting/text.js';
import {
  lostAdvice,
  lostDevices,
  unofferedAdvice,
  unofferedDevices,
  wouldFitAgain,
} from '../../findings/waiting/unhealthy-devices.js';
import { isAbsent, poolAdvice, sizeAdvice } from './demand.js';
import {
  absentNodeFinding,
  missingAdvice,
  missingEvidence,
  missingNodes,
  missingStatements,
  placesOfVolumes,
  state,
  text,
  UnsatisfiablePlacementFacts,
} from './missing.js';

/** Nodes told in full; the rest is in the tally. */
const nearestShown = 3;

/**
 * No node can ever take the waiting pods, whatever other pods do: each lacks a label, has a taint, cannot
 * reach a volume or is too small. Names the nearest nodes and all that each lacks.
 */
export const unsatisfiablePlacement: Rule<typeof UnsatisfiablePlacementFacts> = {
  id: 'unsatisfiable-placement',
  facts: UnsatisfiablePlacementFacts,
  text,
  origin: 'template',
  appliesTo: workloadKinds,
  needs: waitingNeeds,
  supersedes: ['progress-deadline-exceeded'],
  detect(examination) {
    const { snapshot } = examination;
    const blocks = blocksFor(examination, 'unsatisfiable-placement');
    if (blocks === undefined) return absentNodeFinding(examination);
    const missing = missingNodes(examination, blocks[0]);
    const gone = missing.flatMap(({ names }) => names);
    const workload = workloadName(snapshot);
    const nodes = nodesOf(blocks);
    const near = nearestOf(nodes, nearestShown);
    const isPinned = nodes.length < snapshot.index.objects.Node.length;
    const unoffered = unofferedOn(snapshot.index, nodes);
    const [first] = unoffered;
    const nodesWithout = unoffered.map(({ node }) => node);
    const plugins = troubledDevicePlugins(snapshot, nodesWithout).slice(0, 1);
    const autoscaler = autoscalerStatements(examination, blocks);
    const added = labelsAddedTo(snapshot.index, snapshot.workload, blocks[0].pod);
    const facts = { ...waitingFactsOf(examination, blocks), ...autoscaler.facts, missingNodes: missing };
    return waitingFinding(examination, blocks, {
      facts,
      summary: missing.some(({ volume }) => volume === undefined)
        ? state('summary-missing', { workload, nodes: gone })
        : first !== undefined
          ? state('summary-unoffered', { workload, nodes: nodesWithout, resource: first.resource })
          : isPinned
            ? state('summary-pinned', { workload, nodes: nodes.map(({ name }) => name) })
            : state('summary', { workload, nodesInAll: facts.nodesInAll }),
      resource: tooSmallFor(near),
      nodes: near.map(({ name }) => name),
      reasoning: [
        ...missingStatements(missing),
        ...(missing.length > 0 ? [] : placesOfVolumes(examination, blocks[0])),
        ...reasoningOf(examination, blocks, near, facts),
        ...unoffered.slice(0, nearestShown).map((each) => state('unoffered', each)),
        ...plugins.map((each) => crash('agent', { ...each })),
        ...autoscaler.reasoning,
      ],
      evidence: [
        ...missingEvidence(missing, blocks[0].pod),
        ...near.flatMap((node) => evidenceOf(examination, node)),
        ...autoscaler.evidence,
      ],
      ruledOut: ruledOutOf(examination, blocks[0]),
      undoHelps: true,
      advice:
        missing.length > 0
          ? missingAdvice(missing)
          : [
              ...(plugins.length > 0 ? agentAdvice(plugins) : unofferedAdvice(snapshot, unoffered)),
              ...poolAdvice(autoscaler.facts.autoscaler),
              ...adviceFor(snapshot, near, added, blocks[0].pod),
              ...limitAdvice(examination, blocks[0]),
            ],
    });
  },
};

/** Nodes that lack nothing but devices which they have and do not offer. */
function unofferedOn({ nodes: read }: ClusterIndex, nodes: readonly RefusingNode[]) {
  return nodes.flatMap(({ name, reasons }) => {
    const [only, ...more] = reasons.filter(({ resolvable }) => !resolvable);
    const capacity = only && unofferedDevices(read.get(name), only);
    if (capacity === undefined || only?.id !== 'extended-resource' || more.length > 0) return [];
    return [{ node: name, resource: only.resource, capacity }];
  });
}

/** The resource that is the nearest node's only lack. */
function tooSmallFor([node]: readonly RefusingNode[]): string | undefined {
  const lasting = (node?.reasons ?? []).filter(({ resolvable }) => !resolvable);
  const [only] = lasting;
  return lasting.length === 1 && only !== undefined ? resourceOf(only) : undefined;
}

function reasoningOf(
  examination: Examination,
  blocks: readonly [Block, ...Block[]],
  near: readonly RefusingNode[],
  facts: WaitingFacts,
): readonly Statement[] {
  const [block] = blocks;
  if (block.why.kind === 'unconfirmed') {
    return [waiting('unconfirmed', { said: facts.schedulerMessage ?? '' })];
  }
  if (block.evaluation.refusals.length > 0) return [state('terms-conflict')];
  const nodes = nodesOf(blocks);
  return [
    ...(nodes.length > near.length
      ? [
          waiting('tally', { nodesInAll: facts.nodesInAll, groups: facts.refusals }),
          state('nearest', { nodes: near.length }),
        ]
      : []),
    ...near.map(({ name, reasons }) => waiting('node-lacks', { node: name, refusals: refusalsOf(reasons) })),
    ...(refusalFor(examination, blocks) === undefined ? [state('no-change-helps')] : []),
    ...spreadStatements(examination, block),
  ];
}

function evidenceOf({ snapshot }: Examination, { name, reasons }: RefusingNode): readonly Evidence[] {
  const object = { kind: 'Node', namespace: '', name };
  const node = snapshot.index.nodes.get(name);
  return reasons.flatMap((reason): readonly Evidence[] => {
    switch (reason.id) {
      case 'node-affinity':
        return refusalsIn(reason).flatMap((refusal) =>
          refusal.what === 'label'
            ? [
                {
                  object,
                  field: `metadata.labels[${refusal.key}]`,
                  value: refusal.found ?? '',
                  says: state('ev-label', { node: name, requirement: requirementText(refusal) }),
                },
              ]
            : [],
        );
      case 'taint':
        return [
          {
            object,
            field: 'spec.taints',
            value: `${reason.taint.key}=${reason.taint.value}:${reason.taint.effect}`,
            at: reason.taint.timeAdded,
            says: state('ev-taint', { node: name }),
          },
        ];
      case 'cpu':
      case 'memory':
      case 'ephemeral-storage':
      case 'extended-resource':
        return [
          {
            object,
            field: `status.allocatable[${reason.resource}]`,
            value: node?.status.allocatable[reason.resource] ?? '',
            says: state('ev-allocatable', { node: name, resource: reason.resource }),
          },
        ];
      default:
        return [];
    }
  });
}

function ruledOutOf(examination: Examination, block: Block): readonly RuledOut[] {
  if (block.nodes.length === 0) return ruledOutByWaiting(examination, block);
  const because = state('because-emptied', { nodes: block.nodes.length });
  return [
    ...ruledOutByWaiting(examination, block),
    { cause: 'capacity-contention', because },
    { cause: 'scale-up-pending', because },
    { cause: 'node-cordoned', because: waiting('because-in-service') },
    { cause: 'waiting-for-autoscaler', because: waiting('because-no-order') },
  ];
}

/**
 * What would make the nearest node acceptable, one piece for each thing that it lacks: the pod's template
 * first, the node second.
 */
function adviceFor(
  snapshot: Snapshot,
  nearest: readonly RefusingNode[],
  added: readonly AddedLabel[],
  pod: Pod,
): readonly Advice[] {
  const node = nearest.find((each) => !each.reasons.some(isAbsent)) ?? nearest[0];
  if (node === undefined) return [];
  return node.reasons
    .filter(({ resolvable }) => !resolvable)
    .flatMap((reason) => {
      const lost = lostDevices(snapshot.index, node.name, reason);
      return lost !== undefined && wouldFitAgain(lost, reason)
        ? lostAdvice(snapshot, [lost])
        : forReason(node.name, reason, added, pod);
    });
}

function forReason(node: string, reason: Reason, added: readonly AddedLabel[], pod: Pod): readonly Advice[] {
  switch (reason.id) {
    case 'node-affinity':
      return [...forAddedLabels(node, reason, added), ...forLabels(node, reason, added)];
    case 'taint': {
      const { key, value, effect } = reason.taint;
      return [
        {
          title: state('advice-toleration-title'),
          text: state('advice-toleration', {
            node,
            taint: `${key}${value === '' ? '' : `=${value}`}:${effect}`,
          }),
          snippet: template([
            'tolerations:',
            `  - key: ${key}`,
            ...(value === '' ? ['    operator: Exists'] : ['    operator: Equal', `    value: "${value}"`]),
            `    effect: ${effect}`,
          ]),
        },
      ];
    }
    case 'cpu':
    case 'memory':
    case 'ephemeral-storage':
    case 'extended-resource':
      return [sizeAdvice(node, reason, pod)];
    case 'volume-affinity':
    case 'volume-zone':
      return [
        {
          title: state('advice-volume-title'),
          text: state('advice-volume', { volume: reason.volume, claim: reason.claim }),
        },
      ];
    default:
      return [];
  }
}

/** A change of the template removes no label that something else writes into the pods. */
function forAddedLabels(node: string, reason: Reason, added: readonly AddedLabel[]): readonly Advice[] {
  return labelsIn(reason).flatMap(({ key, text }): readonly Advice[] => {
    const label = added.find((each) => each.key === key);
    if (label === undefined) return [];
    return label.by === undefined
      ? [{ title: state('advice-added-title'), text: state('advice-added', { node, label: text }) }]
      : [
          {
            title: state('advice-flavor-title', { flavor: label.by.flavor }),
            text: state('advice-flavor', { label: text, ...label.by }),
          },
        ];
  });
}

function labelsIn(reason: Reason) {
  return refusalsIn(reason).flatMap((refusal) =>
    refusal.what === 'label' ? [{ ...refusal, text: requirementText(refusal) }] : [],
  );
}

function forLabels(node: string, reason: Reason, added: readonly AddedLabel[]): readonly Advice[] {
  const labels = labelsIn(reason).filter(({ key }) => !added.some((each) => each.key === key));
  if (labels.length === 0) return [];
  const [first] = labels;
  const found = labels.filter((label) => label.found !== undefined);
  const missing = labels.filter(({ operator, values }) => operator === 'In' && values.length > 0);
  return [
    {
      title: state('advice-selector-title'),
      text: state('advice-selector', { node, labels: labels.map(({ text }) => text) }),
      ...(found.length === labels.length && first !== undefined
        ? {
            snippet: template([
              'nodeSelector:',
              ...found.map(({ key, found: value }) => `  ${key}: "${value ?? ''}"`),
            ]),
          }
        : {}),
    },
    ...(missing.length === labels.length
      ? [
          {
            title: state('advice-label-title'),
            text: state('advice-label', { node }),
            snippet: `kubectl label node ${node} --overwrite ${missing
              .map(({ key, values }) => `${key}=${values[0] ?? ''}`)
              .join(' ')}\n`,
          },
        ]
      : []),
  ];
}

function template(lines: readonly string[]): string {
  return `${['spec:', '  template:', '    spec:', ...lines.map((line) => `      ${line}`)].join('\n')}\n`;
}

/** A label of nodes that a pod requires and the template of its workload does not name. */
interface AddedLabel {
  readonly key: string;
  /** The ResourceFlavor whose nodes Kueue chose for the pod, and the ClusterQueue that has it. */
  readonly by: { readonly flavor: string; readonly clusterQueue: string } | undefined;
}

/**
 * What was written into the pod after its template: by Kueue as it admitted the pod, or by something unknown.
 */
function labelsAddedTo(index: ClusterIndex, { spec }: Workload, pod: Pod): readonly AddedLabel[] {
  const declared = keysOf(spec.template.spec);
  const admission = queuedWorkloadOf(index, pod)?.status.admission;
  const names = new Set(admission?.podSetAssignments.flatMap(({ flavors }) => Object.values(flavors)) ?? []);
  const flavors = index.objects.ResourceFlavor.filter(({ metadata }) => names.has(metadata.name));
  return [...keysOf(pod.spec)]
    .filter((key) => !declared.has(key))
    .map((key) => {
      const flavor = flavors.find((each) => key in each.spec.nodeLabels)?.metadata.name;
      const by =
        flavor === undefined || admission === undefined
          ? undefined
          : { flavor, clusterQueue: admission.clusterQueue };
      return { key, by };
    });
}

function keysOf({ nodeSelector, affinity }: PodSpec): ReadonlySet<string> {
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = required?.nodeSelectorTerms ?? [];
  return new Set([
    ...Object.keys(nodeSelector ?? {}),
    ...terms.flatMap(({ matchExpressions }) => matchExpressions.map(({ key }) => key)),
  ]);
}
