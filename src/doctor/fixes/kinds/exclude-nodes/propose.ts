import type { Statement } from '../../../../engine/language/statement.js';
import { isActive, isReady, type Pod, podKey } from '../../../../engine/objects/pod.js';
import { PodTemplate } from '../../../../engine/objects/pod-spec.js';
import type { Snapshot } from '../../../../engine/objects/snapshot.js';
import { isUnread } from '../../../../engine/objects/unread.js';
import { hasGroups, hasPodPerNode, isPaused, isRevisioned } from '../../../../engine/objects/workload.js';
import type { Placement } from '../../../../engine/scheduler/placement.js';
import { withPodDefaults } from '../../../../engine/scheduler/pod-defaults.js';
import type { Forecast } from '../../../../engine/workloads/forecast.js';
import { wantedOf } from '../../../../engine/workloads/joint-forecast.js';
import type { PodSimulator } from '../../../../engine/workloads/pod-simulator.js';
import type { RolloutState } from '../../../../engine/workloads/rollout-state.js';
import { type Considered, impossible } from '../../considered.js';
import { effect } from '../../effects-text.js';
import { forecastChange, impactOf, predictionOf, replacesOnlyDeleted } from '../../forecast-change.js';
import { notRecommended, type Offer, offered } from '../../offered-fields.js';
import { refusedByOwner } from '../../owner-target.js';
import { tooLarge } from '../../refusals.js';
import { isTemplateElsewhere } from '../../template-changes.js';
import type { ExcludeNodes } from './plan.js';
import { type Exclusion, exclusionOf, hostnameLabel, withExclusion } from './plan.js';
import { state as say } from './text.js';

interface ExcludeNodesInput {
  readonly snapshot: Snapshot;
  readonly state: RolloutState;
  readonly placement: Placement;
  readonly simulator: PodSimulator;
  /** Names of the nodes to keep the workload off. */
  readonly nodes: readonly string[];
  readonly remindAfterHours?: number;
}

const kind = 'exclude-nodes';
/** A working day and a night: long enough to repair a node, short enough that somebody still remembers. */
const defaultReminderHours = 24;

/**
 * Keeps the workload off nodes by their hostname label, where the engines see the rollout that this starts
 * end: the other nodes must hold the workload, and its present strategy must not deadlock on the way. Pods on
 * excluded nodes are not expected to become ready.
 */
export function proposeExcludeNodes(input: ExcludeNodesInput): Offer<ExcludeNodes> {
  const considered = considerExcludeNodes(input);
  if (considered.type === 'impossible') return notRecommended(kind, considered.because);
  const { forecast, remediation } = considered;
  switch (forecast.ends) {
    case 'complete':
    case 'contested':
      return offered(remediation);
    case 'stuck':
      return notRecommended(kind, whyStuck(input, forecast));
    case 'too-large':
      return notRecommended(kind, tooLarge(input.snapshot.workload.metadata, forecast));
    case 'unknown':
      return notRecommended(kind, effect('withheld-unknown'));
  }
}

/**
 * The exclusion and its forecast, however that ends; impossible where it would change nothing, or names no
 * node.
 */
export function considerExcludeNodes(input: ExcludeNodesInput): Considered<ExcludeNodes> {
  const { snapshot, state, simulator } = input;
  const { workload } = snapshot;
  const name = `${workload.metadata.namespace}/${workload.metadata.name}`;
  if (isPaused(workload)) {
    return impossible(say('withheld-paused', { workload: name }));
  }
  if (hasGroups(workload)) {
    const refused = refusedByOwner('owner-affinity-of-groups', workload);
    return impossible(refused?.because ?? effect('withheld-groups', { workload: name }));
  }
  if (isRevisioned(workload)) return impossible(effect('withheld-revisions', { workload: name }));
  if (isTemplateElsewhere(workload)) return impossible(say('withheld-elsewhere', { workload: name }));
  if (replacesOnlyDeleted(workload)) return impossible(say('withheld-on-delete', { workload: name }));
  const named = hostnamesOf(input);
  if (named.type === 'missing') return impossible(named.because);
  const { nodes } = named;
  const hostnames = nodes.map(({ hostname }) => hostname);
  const exclusion = exclusionOf(workload.spec.template.raw, hostnames);
  if (!exclusion.changes) return impossible(say('withheld-already', { nodes: input.nodes }));

  const template = PodTemplate.parse(withExclusion(workload.spec.template.raw, exclusion));
  const excluded = excludedNodes(snapshot, hostnames);
  const wary: PodSimulator = {
    ...simulator,
    becomesReady: (pod, node, difference) =>
      !excluded.includes(node) && simulator.becomesReady(pod, node, difference),
  };
  const forecast = forecastChange(state, { kind: 'template', template }, wary);
  return {
    type: 'considered',
    forecast,
    remediation: remediation(input, { nodes, excluded, exclusion, forecast }),
  };
}

type Named = ExcludeNodes['nodes'];

/** The label is the kubelet's hostname, which may differ from the node's name. */
function hostnamesOf({
  snapshot,
  nodes,
}: ExcludeNodesInput):
  | { readonly type: 'named'; readonly nodes: Named }
  | { readonly type: 'missing'; readonly because: Statement } {
  const named: { name: string; hostname: string }[] = [];
  for (const name of [...nodes].sort()) {
    const node = snapshot.index.nodes.get(name);
    if (node === undefined) {
      const because = isUnread(snapshot, 'Node')
        ? effect('withheld-unknown')
        : say('withheld-no-node', { node: name });
      return { type: 'missing', because };
    }
    const hostname = node.metadata.labels[hostnameLabel] ?? '';
    if (hostname === '') return { type: 'missing', because: say('withheld-no-label', { node: name }) };
    named.push({ name, hostname });
  }
  return { type: 'named', nodes: named };
}

/** All nodes with one of these labels. */
function excludedNodes({ index }: Snapshot, hostnames: readonly string[]): readonly string[] {
  return index.objects.Node.filter(({ metadata }) =>
    hostnames.includes(metadata.labels[hostnameLabel] ?? ''),
  ).map(({ metadata }) => metadata.name);
}

/**
 * Were all own pods gone and the new ones still without a place, it would be no deadlock: the rest is too
 * small.
 */
function whyStuck({ state, placement, nodes }: ExcludeNodesInput, { waiting }: Forecast): Statement {
  const [unplaced] = waiting.filter(({ spec }) => (spec.nodeName ?? '') === '');
  const emptied = placement.with({ remove: new Set(state.pods.map(podKey)) });
  const asked = unplaced === undefined ? undefined : emptied.evaluate(unplaced);
  if (asked?.outcome === 'not-simulated') return effect('withheld-unknown');
  if (unplaced === undefined) return say('withheld-unready', { pods: waiting.length });
  const wanted = wantedPods(state);
  const room = placesFor(unplaced, emptied, wanted);
  return room >= wanted
    ? say('withheld-deadlock', { pods: waiting.length })
    : say('withheld-no-room', { nodes, room, pods: wanted });
}

/** How many pods like this one find a place one after the other, at most `count`. */
function placesFor(like: Pod, start: Placement, count: number): number {
  const spec = withPodDefaults(like.spec);
  let placement = start;
  for (let placed = 0; placed < count; placed += 1) {
    const uid = `copy-${placed}`;
    const pod = { ...like, metadata: { ...like.metadata, name: uid, uid }, spec };
    const [nodeName] = placement.evaluate(pod).feasible;
    if (nodeName === undefined) return placed;
    placement = placement.with({ add: [{ ...pod, spec: { ...spec, nodeName } }] });
  }
  return count;
}

/** A DaemonSet's pods have a node each: there one place is what is missing. */
function wantedPods(state: RolloutState): number {
  return hasPodPerNode(state) ? 1 : wantedOf(state);
}

interface Outlook {
  readonly nodes: Named;
  readonly excluded: readonly string[];
  readonly exclusion: Exclusion;
  readonly forecast: Forecast;
}

function remediation(input: ExcludeNodesInput, outlook: Outlook): ExcludeNodes {
  const { nodes, forecast } = outlook;
  const names = nodes.map(({ name }) => name);
  return {
    kind,
    id: `${kind}-${names.join('+')}`,
    title: say('title', { nodes: names }),
    effects: effectsOf(input, outlook),
    price: impactOf(forecast, 'template'),
    prediction: predictionOf(forecast),
    nodes,
    remindAfterHours: input.remindAfterHours ?? defaultReminderHours,
  };
}

function effectsOf(
  { snapshot, state, remindAfterHours = defaultReminderHours }: ExcludeNodesInput,
  { nodes, excluded, exclusion, forecast }: Outlook,
): readonly Statement[] {
  const { metadata } = snapshot.workload;
  const names = nodes.map(({ name }) => name);
  const others = excluded.filter((name) => !names.includes(name));
  const onThem = state.pods.filter((pod) => isServing(pod) && excluded.includes(pod.spec.nodeName ?? ''));
  const places = [...new Set(forecast.placements.map(({ node }) => node))].sort();
  return [
    say('excludes', { workload: `${metadata.namespace}/${metadata.name}`, nodes: names }),
    ...(exclusion.terms > 0 ? [say('in-every-term', { terms: exclusion.terms })] : []),
    ...(others.length > 0 ? [say('also-excludes', { nodes: others })] : []),
    say('replaces', { pods: forecast.victims.length }),
    ...(onThem.length > 0 ? [say('leaves-node', { pods: onThem.map((pod) => pod.metadata.name) })] : []),
    ...(places.length > 0 ? [say('placed-on', { nodes: places })] : []),
    say('node-stays', { nodes: names }),
    say('reminds', { hours: remindAfterHours }),
    say('lift'),
  ];
}

function isServing(pod: Pod): boolean {
  return isActive(pod) && isReady(pod);
}
