import { autoscalerStatusMap } from '../../cluster/autoscaler-status.js';
import type { Snapshot } from '../../cluster/snapshot.js';
import type { Statement } from '../../language/statement.js';
import type { Evidence } from '../finding.js';
import {
  freshAutoscalerStatus,
  isEveryGroupShut,
  type NodeGroupAdmission,
  nodeGroupAdmissions,
} from './node-group-door.js';
import type { AutoscalerStatements } from './node-pool-statements.js';
import { waiting } from './text.js';

/** Node groups told one by one. */
const shownGroups = 5;

/** Whether cluster-autoscaler can add a node at all, by the status that it writes. */
export function nodeGroupStatements(snapshot: Snapshot): AutoscalerStatements {
  const admissions = nodeGroupAdmissions(snapshot);
  if (admissions.length === 0) return { facts: {}, reasoning: [], evidence: [] };
  const isShut = isEveryGroupShut(snapshot);
  const isFull = admissions.every(({ state }) => state === 'full');
  return {
    facts: { nodeGroups: admissions.map(factsOf) },
    reasoning: [
      ...admissions.slice(0, shownGroups).map(statementOf),
      ...(isShut ? [waiting(isFull ? 'groups-full' : 'groups-shut')] : []),
    ],
    evidence: admissions.slice(0, shownGroups).map((admission) => evidenceOf(snapshot, admission)),
  };
}

/** 0 in place of a maximum that the autoscaler does not report. */
const maxOf = (max: number): number => (max === Number.MAX_SAFE_INTEGER ? 0 : max);

function factsOf({ group, state }: NodeGroupAdmission) {
  const { name, target, max, errorCode } = group;
  const failed = state === 'backoff' && errorCode !== '' ? { errorCode } : {};
  return { name, state, nodes: target, max: maxOf(max), ...failed };
}

function statementOf({ group, state }: NodeGroupAdmission): Statement {
  const { name, target, max, errorCode } = group;
  switch (state) {
    case 'full':
      return waiting('group-full', { group: name, nodes: target, max });
    case 'backoff':
      return waiting('group-backoff', { group: name, errorCode });
    case 'open':
      return waiting('group-open', { group: name, nodes: target, max: maxOf(max) });
  }
}

function evidenceOf(snapshot: Snapshot, admission: NodeGroupAdmission): Evidence {
  const { name, target, max, scaleUp } = admission.group;
  const at = freshAutoscalerStatus(snapshot)?.at;
  return {
    object: { kind: 'ConfigMap', ...autoscalerStatusMap },
    field: 'data.status',
    value: `${name}: cloudProviderTarget=${target} maxSize=${maxOf(max)} scaleUp=${scaleUp}`,
    ...(at === undefined ? {} : { at }),
    says: statementOf(admission),
  };
}
