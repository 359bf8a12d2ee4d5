import { type NoValues, statementsOf } from '../../../language/statement.js';
import type { HolderValue, WaitingShapes } from '../../waiting/statements.js';

/** One link of a cycle: the new pod of a workload waits for old pods of the next workload. */
export type CycleWait = {
  readonly workload: string;
  readonly waiting: string;
  readonly holder: string;
  readonly holds: readonly string[];
  readonly node: string;
};

/** A change of one member: one old pod at a time, all old pods first, or one replica less of an old ReplicaSet. */
export type CycleFixName = 'in-place' | 'recreate' | 'scale-down';

/** How one rollout of a cycle fares after a change. */
export type MemberForecast = {
  readonly workload: string;
  /** `contested`: it completes unless pods of others take what becomes free. */
  readonly ends: 'complete' | 'contested' | 'stuck';
  readonly downtime: 'none' | 'reduced' | 'gap';
  /** The lowest number of ready pods on the way, of `replicas` wanted. */
  readonly readyMin: number;
  readonly replicas: number;
  /** How long fewer pods, or none, are ready; absent where it is not known. */
  readonly seconds?: number;
};

/** What the rule states beyond what all causes about waiting pods do. */
type OwnShapes = {
  readonly summary: {
    readonly workload: string;
    readonly resource: string;
    readonly holders: readonly string[];
  };
  readonly 'summary-neighbour': {
    readonly workload: string;
    readonly resource: string;
    readonly neighbours: readonly string[];
  };
  readonly 'neighbour-moves': {
    readonly neighbour: string;
    readonly starting: readonly string[];
    readonly leaving: readonly string[];
    readonly pod: string;
  };
  /** Its controller has acted a moment ago or has not seen its update yet; no new pod is starting. */
  readonly 'neighbour-acts': {
    readonly neighbour: string;
    readonly leaving: readonly string[];
    readonly pod: string;
  };
  readonly 'neighbour-may-fail': { readonly neighbours: readonly string[] };
  readonly 'ev-starting': { readonly pod: string };
  readonly 'because-neighbour-moves': { readonly neighbours: readonly string[] };
  readonly 'patch-needless': { readonly neighbours: readonly string[] };
  readonly 'held-by': { readonly resource: string; readonly holder: HolderValue };
  readonly counterfactual: {
    readonly pod: string;
    readonly without: readonly string[];
    readonly node: string;
  };
  /** Others' pods alone do not open the node; own ones are in the set. */
  readonly 'own-too': { readonly pods: readonly string[] };
  readonly 'preempts-lower-only': { readonly priority: number; readonly lowest: number };
  readonly 'preempts-never': { readonly priority: number };
  readonly 'equal-priority': { readonly priority: number };
  readonly 'leaves-by-itself': { readonly workload: string; readonly kind: string };
  readonly overdue: { readonly pod: string };
  readonly cycle: {
    readonly other: string;
    readonly otherWaiting: string;
    readonly otherHolds: readonly string[];
    readonly weHold: readonly string[];
    readonly node: string;
  };
  readonly 'cycle-unproven': { readonly other: string };
  readonly 'ev-holder': { readonly pod: string; readonly priority: number };
  readonly 'ev-cycle': { readonly pod: string };
  readonly 'because-others': { readonly holders: readonly string[] };
  readonly 'advice-move-title': { readonly workload: string };
  readonly 'advice-move': { readonly workload: string; readonly node: string };
  readonly 'advice-port-title': NoValues;
  readonly 'advice-port': { readonly port: string; readonly holders: readonly string[] };
  readonly 'advice-priority-title': NoValues;
  readonly 'advice-priority': { readonly holder: string; readonly priority: number };
  /** Only in records of earlier versions, as the next one. */
  readonly 'advice-cycle-title': NoValues;
  readonly 'advice-cycle': { readonly other: string };
};

/** What it states about a cycle of rollouts and the fixes that open it. */
export type CycleShapes = {
  /** A cycle through three or more rollouts. */
  readonly 'cycle-through-many': { readonly waits: readonly CycleWait[] };
  /** A change of this workload after which every rollout of the cycle completes. */
  readonly 'fix-here': { readonly workload: string; readonly forecasts: readonly MemberForecast[] };
  /** The same of another member; `also` names further members whose change opens the cycle. */
  readonly 'fix-elsewhere': {
    readonly workload: string;
    readonly command: string;
    readonly fix: CycleFixName;
    /** It costs users less than a change of this workload, or this workload has none. */
    readonly isSafer: boolean;
    readonly forecasts: readonly MemberForecast[];
    readonly also: readonly string[];
  };
  readonly 'fix-safer': { readonly workload: string; readonly command: string };
  readonly 'fix-nowhere': { readonly members: readonly string[] };
  readonly 'fix-in-vain': { readonly stuck: readonly string[]; readonly instead?: string };
  readonly 'fix-unread': { readonly unread: readonly string[] };
  readonly 'fix-not-simulated': NoValues;
  /** A rollback ends the wait of this workload alone. */
  readonly 'undo-leaves': { readonly workload: string; readonly stuck: readonly string[] };
  readonly 'member-forecast': { readonly forecast: MemberForecast };
  readonly 'advice-fix-title': { readonly workload: string };
  readonly 'advice-fix': { readonly workload: string; readonly command: string };
};

export type CapacityContentionShapes = WaitingShapes & OwnShapes & CycleShapes;

export const state = statementsOf<OwnShapes & CycleShapes>('capacity-contention');
/** The statements that all causes about waiting pods make, in this one's name. */
export const shared = statementsOf<WaitingShapes>('capacity-contention');
