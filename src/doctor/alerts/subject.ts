import type { WorkloadKind } from '../../engine/objects/workload.js';
import type { NamedWorkload } from '../commands/command.js';

/** A pod by name; what is missing is looked for. */
export type NamedPod = { readonly cluster?: string; readonly namespace?: string; readonly name: string };

/**
 * What an alert is about, as far as its own words tell. Only `workload` names one outright; for the rest the
 * cluster has to be asked, and what it answers may be a question back to people.
 */
export type Subject =
  /** A label names it. */
  | { readonly type: 'workload'; readonly query: NamedWorkload }
  /** The owner chain of the pod leads to it. */
  | { readonly type: 'pod'; readonly pod: NamedPod }
  /** The workloads whose pods suffer on the node. */
  | { readonly type: 'node'; readonly cluster?: string; readonly node: string }
  /**
   * Names out of free text: only what exists counts. `tokens` are words that may be a namespace or a name.
   */
  | {
      readonly type: 'names';
      readonly cluster?: string;
      readonly workloads: readonly NamedWorkload[];
      readonly pods: readonly NamedPod[];
      readonly tokens: readonly string[];
    }
  /** Only a namespace is known: those that suffer there are the choices. */
  | { readonly type: 'namespace'; readonly cluster?: string; readonly namespace: string }
  /** Something that is not diagnosed, such as a Job. */
  | { readonly type: 'not-diagnosed'; readonly kind: string; readonly name: string }
  /**
   * The alert names a cluster that is not configured: a workload of the same name elsewhere is another
   * workload.
   */
  | { readonly type: 'foreign-cluster'; readonly cluster: string; readonly of: Subject }
  | { readonly type: 'none' };

/** Clusters that can be asked, and what senders call them. */
export interface KnownClusters {
  readonly names: readonly string[];
  /** Value of a cluster label to the name of a configured cluster. */
  readonly aliases: Readonly<Record<string, string>>;
}

/** A workload kind and the labels that name one of it, the first one present counts. */
export type WorkloadLabels = { readonly kind: WorkloadKind; readonly labels: readonly string[] };
