import type {
  CapacityContentionShapes,
  CycleWait,
} from '../diagnosis/causes/capacity-contention/statements.js';
import type { QuotaDeadlockShapes } from '../diagnosis/causes/quota-deadlock/statements.js';
import type { ReadinessDeadlockShapes } from '../diagnosis/causes/readiness-deadlock/statements.js';
import type { SurgeDeadlockShapes } from '../diagnosis/causes/surge-deadlock/statements.js';
import type { VolumeAttachDeadlockShapes } from '../diagnosis/causes/volume-attach-deadlock/statements.js';
import type { Finding } from '../diagnosis/finding.js';
import { maxNames, type Party, type Wait, type WaitCycle } from '../diagnosis/picture.js';
import type { StatementShapes } from '../language/statement.js';

/**
 * The circle that a finding states, drawn from nothing but its own statements, so that the two cannot disagree.
 *
 * @returns `undefined` where the finding states none, or holds it merely possible
 */
export function waitCycle(finding: Finding): WaitCycle | undefined {
  const { confidence, subject } = finding;
  if (confidence === 'possible') return undefined;
  const steps = stepsOf(finding);
  if (steps === undefined) return undefined;
  const workload = `${subject.namespace}/${subject.name}`;
  return { v: 1, kind: 'wait-cycle', workload, confidence, steps: [...steps] };
}

type Steps = WaitCycle['steps'];

function stepsOf(finding: Finding): Steps | undefined {
  switch (finding.cause) {
    case 'surge-deadlock':
      return overResource(finding);
    case 'quota-deadlock':
      return overQuota(finding);
    case 'volume-attach-deadlock':
      return overVolume(finding);
    case 'readiness-deadlock':
      return overLock(finding);
    case 'capacity-contention':
      return throughRollouts(finding);
    default:
      return undefined;
  }
}

function overResource(finding: Finding): Steps | undefined {
  const needs = saying<SurgeDeadlockShapes>()(finding, 'needs');
  const held = saying<SurgeDeadlockShapes>()(finding, 'held');
  if (needs === undefined || held === undefined) return undefined;
  const { resource, amount, nodes } = needs;
  return [
    {
      who: party('new-pod', [needs.pod], needs.waiting),
      waits: { for: 'resource', resource: short(resource), amount: short(amount), ...named(nodes) },
    },
    { who: party('old-pod', held.pods), waits: { for: 'readiness' } },
  ];
}

function overQuota(finding: Finding): Steps | undefined {
  const refused = saying<QuotaDeadlockShapes>()(finding, 'refused');
  const held = saying<QuotaDeadlockShapes>()(finding, 'held');
  if (refused === undefined || held === undefined) return undefined;
  const { creator, quota, resource } = refused;
  return [
    {
      who: party('unmade-pod', [creator]),
      waits: { for: 'quota', quota: short(quota), resource: short(resource) },
    },
    { who: party('old-pod', held.pods), waits: { for: 'readiness' } },
  ];
}

function overVolume(finding: Finding): Steps | undefined {
  const waits = saying<VolumeAttachDeadlockShapes>()(finding, 'waits');
  const held = saying<VolumeAttachDeadlockShapes>()(finding, 'held');
  if (waits === undefined || held === undefined) return undefined;
  return [
    {
      who: party('new-pod', [waits.pod]),
      waits: { for: 'volume', volume: short(waits.claim || waits.volume), node: short(held.node) },
    },
    { who: party('old-pod', held.pods), waits: { for: 'readiness' } },
  ];
}

function overLock(finding: Finding): Steps | undefined {
  const runs = saying<ReadinessDeadlockShapes>()(finding, 'runs');
  const holds = saying<ReadinessDeadlockShapes>()(finding, 'holds');
  if (runs === undefined) return undefined;
  const holders = finding.holders.map(({ name }) => name);
  const waits: Wait = holds === undefined ? { for: 'lock' } : { for: 'lease', lease: short(holds.lease) };
  return [
    { who: party('new-pod', [runs.pod]), waits },
    { who: party('old-pod', holders), waits: { for: 'readiness' } },
  ];
}

/** Each of the rollouts waits for what old pods of the next one hold. */
function throughRollouts(finding: Finding): Steps | undefined {
  const { subject, resource = '', nodes } = finding;
  const waits = rolloutWaits(finding);
  if (waits === undefined) return undefined;
  const own = `${subject.namespace}/${subject.name}`;
  return waits.flatMap(({ workload, waiting, holder, holds, node }) => [
    {
      who: party('new-pod', [waiting], 1, workload),
      waits:
        workload === own
          ? { for: 'resource' as const, resource: short(resource), amount: '', ...named(nodes) }
          : { for: 'place' as const, node: short(node) },
    },
    { who: party('old-pod', holds, undefined, holder), waits: { for: 'readiness' as const } },
  ]);
}

function rolloutWaits(finding: Finding): readonly CycleWait[] | undefined {
  const many = saying<CapacityContentionShapes>()(finding, 'cycle-through-many');
  if (many !== undefined) return many.waits;
  const { subject, evidence } = finding;
  const cycle = saying<CapacityContentionShapes>()(finding, 'cycle');
  const waiting = evidence.find(({ says }) => says.key === 'ev-unschedulable')?.object.name;
  if (cycle === undefined || waiting === undefined) return undefined;
  const { other, otherWaiting, otherHolds, weHold, node } = cycle;
  const own = `${subject.namespace}/${subject.name}`;
  return [
    { workload: own, waiting, holder: other, holds: otherHolds, node: '' },
    { workload: other, waiting: otherWaiting, holder: own, holds: weHold, node },
  ];
}

/**
 * The values of a cause's own statement. Only a cause makes statements of its catalogue, and the compiler checks them
 * against these shapes where it does.
 */
function saying<Shapes extends StatementShapes>() {
  return <Key extends keyof Shapes & string>(
    { cause, reasoning }: Finding,
    key: Key,
  ): Shapes[Key] | undefined => {
    const said = reasoning.find((statement) => statement.catalogue === cause && statement.key === key);
    return said?.values as Shapes[Key] | undefined;
  };
}

/** @param count how many there are where not all are named */
function party(
  role: Party['role'],
  names: readonly string[],
  count: number = names.length,
  workload?: string,
): Party {
  const shown = names.slice(0, maxNames);
  return {
    role,
    names: shown.map(short),
    more: Math.max(0, count - shown.length),
    ...(workload === undefined ? {} : { workload: short(workload) }),
  };
}

function named(nodes: readonly string[]): { readonly nodes: string[]; readonly moreNodes: number } {
  return {
    nodes: nodes.slice(0, maxNames).map(short),
    moreNodes: Math.max(0, nodes.length - maxNames),
  };
}

/** As long as the longest of names, a namespace and its object's. */
function short(name: string): string {
  return name.slice(0, 320);
}
