import type { Statement } from '../../../engine/language/statement.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { countedAmount } from '../../../engine/scheduler/amounts.js';
import { parseQuantity } from '../../../engine/scheduler/quantity.js';
import type { Advice, Evidence } from '../finding.js';
import type { Block } from './block.js';
import type { CloudRefusal } from './cloud-refusal.js';
import type { WaitingFacts } from './facts.js';
import { type NodePoolAdmission, nodePoolAdmissions } from './node-groups-that-may-grow.js';
import { isEveryAdmissionClosed } from './scale-up.js';
import { waiting } from './text.js';

/** What is known of the autoscalers of the cluster, as facts, sentences and evidence. */
export interface AutoscalerStatements {
  readonly facts: Pick<WaitingFacts, 'autoscaler' | 'nodePools' | 'nodeGroups'>;
  readonly reasoning: readonly Statement[];
  readonly evidence: readonly Evidence[];
}

/** NodePools told one by one. */
const shownPools = 5;

/**
 * What the limits of Karpenter's NodePools allow for the first waiting pod: whether waiting can help at all.
 */
export function nodePoolStatements(snapshot: Snapshot, blocks: readonly Block[]): AutoscalerStatements {
  const pods = blocks.map(({ pod }) => pod);
  const [pod] = pods;
  const admissions = pod === undefined ? [] : nodePoolAdmissions(snapshot, pod);
  const isShut = snapshot.index.objects.NodePool.length > 0 && isEveryAdmissionClosed(snapshot, pods);
  if (admissions.length === 0 && !isShut) return { facts: {}, reasoning: [], evidence: [] };
  return {
    facts: { nodePools: admissions.map(factsOf) },
    reasoning: [
      ...admissions.slice(0, shownPools).map(statementOf),
      ...(admissions.length === 0 ? [waiting('pools-admit-not')] : []),
      ...(isShut && admissions.length > 0 ? [waiting('pools-shut')] : []),
    ],
    evidence: admissions.slice(0, shownPools).flatMap((admission) => evidenceOf(snapshot, admission)),
  };
}

/** The limit or the number of nodes to raise, for each NodePool that only this keeps from adding a node. */
export function poolLimitAdvice(snapshot: Snapshot, { pod }: Block): readonly Advice[] {
  return nodePoolAdmissions(snapshot, pod)
    .slice(0, shownPools)
    .flatMap((admission): readonly Advice[] => {
      if (admission.state !== 'shut') return [];
      if (admission.because.kind === 'static') return replicasAdvice(snapshot, admission.pool);
      if (admission.because.kind !== 'limit') return [];
      const { resource, needed } = admission.because;
      return [
        {
          title: waiting('advice-limits-title'),
          text: waiting('advice-pool-limit', { pool: admission.pool, resource, needed }),
          snippet: `kubectl edit nodepool ${admission.pool}   # spec.limits["${resource}"]: at least ${needed}\n`,
        },
      ];
    });
}

/** A static pool allows no other limit than that of its nodes (karpenter `apis/v1/nodepool.go`). */
function replicasAdvice({ index }: Snapshot, pool: string): readonly Advice[] {
  const spec = index.objects.NodePool.find(({ metadata }) => metadata.name === pool)?.spec;
  if (spec?.replicas === undefined) return [];
  const replicas = spec.replicas + 1;
  const limit = parseQuantity(spec.limits.nodes ?? '');
  const isBeyond = limit !== undefined && countedAmount('nodes', limit) < BigInt(replicas);
  const scale = `kubectl scale nodepool ${pool} --replicas=${replicas}\n`;
  return [
    {
      title: waiting('advice-pool-replicas-title'),
      text: waiting('advice-pool-replicas', { pool }),
      snippet: isBeyond
        ? `kubectl edit nodepool ${pool}   # spec.limits["nodes"]: at least ${replicas}\n${scale}`
        : scale,
    },
  ];
}

function factsOf(admission: NodePoolAdmission) {
  if (admission.state !== 'shut') return { name: admission.pool, state: admission.state };
  const { kind, ...rest } = admission.because;
  const limit = 'resource' in rest ? rest : {};
  return { name: admission.pool, state: admission.state, because: kind, ...limit };
}

function statementOf(admission: NodePoolAdmission): Statement {
  const { pool, state } = admission;
  if (state === 'open') return waiting('pool-open', { pool });
  if (state === 'changing') {
    const { because } = admission;
    if (because === 'leaving') return waiting('pool-changing', { pool });
    return because === 'launched'
      ? waiting('pool-launched', { pool })
      : waiting('pool-below-replicas', { pool });
  }
  const { because } = admission;
  switch (because.kind) {
    case 'limit': {
      const { resource, limit, left } = because;
      return waiting('pool-limit', { pool, resource, limit, left });
    }
    case 'not-ready':
      return waiting('pool-not-ready', { pool, reason: because.reason });
    case 'static':
      return waiting('pool-static', { pool });
    case 'being-deleted':
      return waiting('pool-deleted', { pool });
  }
}

function evidenceOf({ index }: Snapshot, admission: NodePoolAdmission): readonly Evidence[] {
  const pool = index.objects.NodePool.find(({ metadata }) => metadata.name === admission.pool);
  if (pool === undefined) return [];
  const object = { kind: 'NodePool', namespace: '', name: admission.pool };
  const [field, value] = fieldOf(admission, pool);
  return [{ object, field, value, says: statementOf(admission) }];
}

function fieldOf(
  admission: NodePoolAdmission,
  { metadata, spec, status }: Snapshot['index']['objects']['NodePool'][number],
): readonly [field: string, value: string] {
  if (admission.state === 'changing' && admission.because === 'below-replicas') {
    return ['spec.replicas', String(spec.replicas ?? '')];
  }
  switch (admission.state === 'shut' ? admission.because.kind : undefined) {
    case 'not-ready':
      return ['status.conditions[Ready]', conditionOf(status, 'Ready')?.reason ?? ''];
    case 'static':
      return ['spec.replicas', String(spec.replicas ?? '')];
    case 'being-deleted':
      return ['metadata.deletionTimestamp', metadata.deletionTimestamp ?? ''];
    default: {
      const sums = Object.entries(spec.limits).map(
        ([resource, limit]) => `${resource} ${status.resources[resource] ?? '0'} of ${limit}`,
      );
      return ['spec.limits', sums.join(', ')];
    }
  }
}

/** What every cause reports about a refusal of the cloud: its words, and what would make the cloud agree. */
export function refusalStatements({ by, group, kind, said, object, field, at }: CloudRefusal): {
  readonly fact: NonNullable<WaitingFacts['cloudRefusal']>;
  readonly reasoning: readonly Statement[];
  readonly evidence: readonly Evidence[];
  readonly advice: readonly Advice[];
} {
  return {
    fact: { by, group, kind, message: said },
    reasoning: [waiting('cloud-refused', { by, group, said })],
    evidence: [{ object, field, value: said, at, says: waiting('ev-cloud', { by }) }],
    advice: [
      { title: waiting('cloud-advice-title', { kind }), text: waiting('cloud-advice', { kind, group }) },
    ],
  };
}
