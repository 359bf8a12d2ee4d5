import type { Snapshot } from '../../../cluster/snapshot.js';
import { unreadOf } from '../../../cluster/unread.js';
import type { Statement } from '../../../language/statement.js';
import { patchStrategyForms } from '../../../remediation/kinds/patch-strategy/forms.js';
import { daemonSetBounds } from '../../../rollout/daemon-set-bounds.js';
import { rolloutStateOf } from '../../../rollout/rollout-state.js';
import { type StrategyFacts, strategyFactsOf } from '../../deadlock/facts.js';
import { strategySnippet } from '../../deadlock/lasting-strategy.js';
import { deadlock } from '../../deadlock/text.js';
import type { FactsOf } from '../../facts.js';
import type { Advice, Evidence } from '../../finding.js';
import { waitingNeeds } from '../../needs.js';
import { readinessOf } from '../../readiness-of.js';
import type { Detected, Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { FragileStrategyFacts } from './facts.js';
import { type NextUpdate, nextUpdateOf } from './next-update.js';
import { state, text } from './text.js';

/**
 * Nothing is wrong, and the next update must come to rest half-way on this cluster, because the strategy
 * wants one more pod before it takes an old one, and the workload's own pods fill what that pod needs. Said
 * only of a workload whose last rollout is complete: a deadlock that is there already has findings of its
 * own.
 */
export const fragileStrategy: Rule<typeof FragileStrategyFacts> = {
  id: 'fragile-strategy',
  facts: FragileStrategyFacts,
  text,
  origin: 'template',
  appliesTo: ['Deployment', 'DaemonSet'],
  needs: [...waitingNeeds, 'ResourceQuota', 'LimitRange', 'PriorityClass'],
  supersedes: [],
  detect(examination) {
    const next = nextUpdateOf(examination);
    return next === undefined ? undefined : findingOf(examination.snapshot, next);
  },
};

function findingOf(snapshot: Snapshot, next: NextUpdate): Detected<typeof FragileStrategyFacts> {
  const ready = readinessOf(snapshot);
  const unread = unreadOf(snapshot, 'Pod', 'Node');
  const facts: Facts = {
    kind: next.kind,
    lacking: next.resource,
    message: next.message,
    strategy: strategyFacts(snapshot, next),
    fix: fixOf(next),
  };
  return {
    confidence: next.confidence,
    severity: 'info',
    resource: next.kind === 'volume' ? 'ReadWriteOnce' : next.resource,
    nodes: [...next.nodes],
    holders: [...next.holders],
    facts,
    summary: summaryOf(snapshot, next),
    standing: state('standing', { ready: ready.pods, wanted: ready.wanted }),
    reasoning: reasoningOf(next, facts),
    evidence: evidenceOf(snapshot, next),
    ruledOut: [
      { cause: 'surge-deadlock', because: state('because-complete') },
      ...(next.kind === 'volume'
        ? []
        : [{ cause: 'insufficient-capacity', because: state('because-held', { pods: podsOf(next) }) }]),
    ],
    advice: adviceFor(snapshot, next),
    weakenedBy: [
      state('same-template'),
      ...(unread === undefined ? [] : [state('pods-unread', { because: unread.because })]),
    ],
  };
}

function summaryOf(snapshot: Snapshot, { kind, resource }: NextUpdate): Statement {
  const workload = workloadName(snapshot);
  switch (kind) {
    case 'place':
      return state('summary', { workload, resource });
    case 'quota':
      return state('summary-quota', { workload });
    case 'volume':
      return state('summary-volume', { workload, volume: resource });
  }
}

type Facts = FactsOf<typeof FragileStrategyFacts>;

function reasoningOf(next: NextUpdate, { strategy, fix }: Facts): readonly Statement[] {
  return [strategyOf(next, strategy), ...whyOf(next), ...wayOutOf(fix)];
}

function strategyFacts(snapshot: Snapshot, { workload }: NextUpdate): StrategyFacts {
  if (workload.kind === 'Deployment') return strategyFactsOf(workload);
  const rollout = rolloutStateOf(snapshot);
  const maxSurge = String(workload.spec.updateStrategy.rollingUpdate?.maxSurge ?? '-');
  const surge = rollout.kind === 'DaemonSet' ? daemonSetBounds(rollout).maxSurge : 0;
  return { maxSurge, surge, replicas: workload.status.desiredNumberScheduled };
}

function strategyOf({ workload }: NextUpdate, strategy: StrategyFacts): Statement {
  const { maxSurge, maxUnavailable = '-', replicas = 0, surge } = strategy;
  return workload.kind === 'DaemonSet'
    ? state('strategy-surges', { maxSurge })
    : state('strategy', { maxSurge, maxUnavailable, replicas, surge });
}

function whyOf(next: NextUpdate): readonly Statement[] {
  const { kind, resource, nodes, message, confidence } = next;
  const pods = podsOf(next);
  if (kind === 'volume') {
    return [
      state('moves', { volume: resource, nodes, pods }),
      confidence === 'possible' ? state('moves-perhaps', { nodes }) : state('moves-always', { nodes }),
    ];
  }
  return [
    kind === 'quota' ? state('no-quota') : state('no-place', { resource }),
    ...(message === undefined ? [] : [state('would-say', { message })]),
    state('held', { pods, nodes, resource }),
  ];
}

function fixOf({ wayOut }: NextUpdate): Facts['fix'] {
  if (wayOut === undefined) return undefined;
  const { strategy, downtime } = wayOut;
  return {
    type: strategy.type,
    downtimeSeconds: downtime?.seconds === undefined ? undefined : Math.round(downtime.seconds),
    hasDowntime: downtime?.kind === 'gap',
  };
}

function wayOutOf(fix: Facts['fix']): readonly Statement[] {
  if (fix === undefined) return [];
  const { type, downtimeSeconds: seconds, hasDowntime: gap } = fix;
  return type === 'Recreate' ? [state('recreate', { seconds })] : [state('in-place', { seconds, gap })];
}

function evidenceOf(snapshot: Snapshot, { workload, holders, resource }: NextUpdate): readonly Evidence[] {
  const { kind, metadata } = workload;
  const strategy = workload.kind === 'DaemonSet' ? workload.spec.updateStrategy : workload.spec.strategy;
  return [
    {
      object: { kind, namespace: metadata.namespace, name: metadata.name },
      field: kind === 'DaemonSet' ? 'spec.updateStrategy.rollingUpdate' : 'spec.strategy.rollingUpdate',
      value: JSON.stringify(strategy.rollingUpdate ?? {}),
      says: state('ev-strategy', { workload: workloadName(snapshot) }),
    },
    ...holders.slice(0, 10).map((holder): Evidence => {
      const pod = snapshot.index.objects.Pod.find(
        (each) => each.metadata.namespace === holder.namespace && each.metadata.name === holder.name,
      );
      return {
        object: holder,
        field: 'spec.nodeName',
        value: pod?.spec.nodeName ?? '',
        ...(pod?.status.startTime === undefined ? {} : { at: pod.status.startTime }),
        says: deadlock('ev-holder', { pod: holder.name, resource }),
      };
    }),
  ];
}

function adviceFor(snapshot: Snapshot, { workload, kind, resource, wayOut }: NextUpdate): readonly Advice[] {
  const { inPlace, recreate } = patchStrategyForms;
  const stopsAll = kind === 'volume' || wayOut?.strategy.type === 'Recreate';
  const snippet = strategySnippet(workload, stopsAll ? recreate : inPlace);
  return [
    ...(kind !== 'volume' && wayOut === undefined
      ? []
      : [
          {
            title: state('advice-change-title'),
            text: state('advice-change', { workload: workloadName(snapshot) }),
            snippet,
          },
        ]),
    ...(kind === 'place' && !placeless.has(resource)
      ? [{ title: state('advice-room-title'), text: state('advice-room', { resource }) }]
      : []),
  ];
}

/** Of these nobody can keep a spare one. */
const placeless: ReadonlySet<string> = new Set([
  'hostPort',
  'ReadWriteOncePod',
  'podAntiAffinity',
  'topologySpread',
]);

function podsOf({ holders }: NextUpdate): readonly string[] {
  return holders.map(({ name }) => name);
}
