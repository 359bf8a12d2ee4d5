import type { PodState } from '../diagnosis/picture.js';
import type { Party, Wait } from '../diagnosis/wait-cycle.js';
import type { NoValues } from '../language/statement.js';

/** What all troubled pods of a strip have in common. */
export type Trouble = 'crashing' | 'restarting' | 'failing' | 'crashed' | 'mixed';

/** The words in and around pictures; told by `text.ts`. */
export type PictureShapes = {
  /** `nodes`: those with trouble; all of them when `nodes.length` is `onNodes`. */
  readonly 'caption-troubled': {
    readonly workload: string;
    readonly trouble: Trouble;
    readonly pods: number;
    readonly of: number;
    readonly nodes: readonly string[];
    readonly onNodes: number;
    readonly ofNodes: number;
  };
  readonly 'caption-ready': { readonly workload: string; readonly ready: number; readonly of: number };
  readonly 'caption-cycle': { readonly workload: string };
  readonly 'row-troubled': { readonly trouble: Trouble; readonly pods: number; readonly of: number };
  readonly 'row-ready': { readonly ready: number; readonly of: number };
  readonly 'row-also': { readonly state: PodState; readonly pods: number };
  readonly 'row-no-node': NoValues;
  readonly restarts: { readonly least: number; readonly most: number; readonly pods: number };
  readonly 'exit-code': { readonly exitCode: number };
  readonly folded: { readonly nodes: number };
  readonly 'new-revision': { readonly name: string };
  /** `name` is '' for several. */
  readonly 'former-revision': { readonly name: string };
  /** What a sign stands for. */
  readonly sign: { readonly state: PodState };
  readonly party: Party;
  /** What it waits for, and then how the next one stands to that. */
  readonly needs: { readonly who: Party; readonly waits: Wait };
  readonly held: { readonly waits: Wait };
  /** The same as a whole sentence. */
  readonly step: { readonly who: Party; readonly waits: Wait; readonly next: Party };
  readonly 'how-to-read-cycle': NoValues;
  readonly 'as-of': { readonly at: string };
  readonly unreadable: { readonly workload: string };
};
