import type {
  V1LabelSelector,
  V1NodeSelectorRequirement,
  V1NodeSelectorTerm,
  V1PodAffinityTerm,
  V1Toleration,
  V1TopologySpreadConstraint,
} from '@kubernetes/client-node';
import type { Draw } from './draw.js';
import { apps, effects, namespaces, taintKeys, topologyKeys } from './vocabulary.js';

function labelSelector(draw: Draw): V1LabelSelector {
  const kind = draw.below(100);
  if (kind < 5) return {};
  if (kind < 70) return { matchLabels: { app: draw.pick(apps) } };
  const operator = draw.pick(['In', 'NotIn', 'Exists', 'DoesNotExist']);
  const values = [draw.pick([...apps, 'x', 'r1']), draw.pick(apps)];
  return {
    matchExpressions: [
      {
        key: draw.pick(['app', 'tier', 'rev']),
        operator,
        ...(operator.endsWith('In') ? { values } : {}),
      },
    ],
  };
}

/** For affinity and anti-affinity between pods. */
export function podTerm(draw: Draw): V1PodAffinityTerm {
  return {
    labelSelector: labelSelector(draw),
    topologyKey: draw.pick(topologyKeys),
    ...draw.maybe(20, () => ({ namespaces: [draw.pick(namespaces)] })),
    ...draw.maybe(20, () => ({
      namespaceSelector: draw.pick<V1LabelSelector>([
        {},
        { matchLabels: { team: 'x' } },
        { matchExpressions: [{ key: 'team', operator: 'Exists' }] },
      ]),
    })),
    ...draw.maybe(10, () => ({ matchLabelKeys: ['tier'] })),
    ...draw.maybe(5, () => ({ mismatchLabelKeys: ['rev'] })),
  };
}

function nodeRequirement(draw: Draw): V1NodeSelectorRequirement {
  const operator = draw.pick(['In', 'In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt']);
  if (operator === 'Gt' || operator === 'Lt') {
    return { key: 'cores', operator, values: [draw.pick(['4', '8', '16'])] };
  }
  return {
    key: draw.pick(['disk', 'topology.kubernetes.io/zone', 'cores', 'rack']),
    operator,
    ...(operator.endsWith('In') ? { values: [draw.pick(['ssd', 'z1', 'z2', '8', 'r1'])] } : {}),
  };
}

export function nodeTerm(draw: Draw, nodes: readonly string[]): V1NodeSelectorTerm {
  return {
    ...draw.maybe(85, () => ({ matchExpressions: draw.some(1, 2, () => nodeRequirement(draw)) })),
    ...draw.maybe(15, () => ({
      matchFields: [
        {
          key: 'metadata.name',
          operator: draw.pick(['In', 'In', 'NotIn']),
          values: [draw.pick(['gone', ...nodes])],
        },
      ],
    })),
  };
}

export function toleration(draw: Draw): V1Toleration {
  return draw.pick<V1Toleration>([
    { operator: 'Exists' },
    { key: draw.pick(taintKeys), operator: 'Exists' },
    { key: draw.pick(taintKeys), value: draw.pick(['a', 'b']), effect: draw.pick(effects) },
    { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
  ]);
}

export function spreadConstraint(draw: Draw): V1TopologySpreadConstraint {
  const whenUnsatisfiable = draw.pick(['DoNotSchedule', 'DoNotSchedule', 'ScheduleAnyway']);
  return {
    maxSkew: 1 + draw.below(2),
    topologyKey: draw.pick(topologyKeys),
    whenUnsatisfiable,
    ...draw.maybe(95, () => ({ labelSelector: labelSelector(draw) })),
    ...(whenUnsatisfiable === 'DoNotSchedule'
      ? draw.maybe(20, () => ({ minDomains: 1 + draw.below(4) }))
      : {}),
    ...draw.maybe(30, () => ({ nodeAffinityPolicy: draw.pick(['Honor', 'Ignore']) })),
    ...draw.maybe(30, () => ({ nodeTaintsPolicy: draw.pick(['Honor', 'Ignore']) })),
    ...draw.maybe(20, () => ({ matchLabelKeys: ['rev'] })),
  };
}
