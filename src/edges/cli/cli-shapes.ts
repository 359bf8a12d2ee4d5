import type { ChildlessOwner } from '../../doctor/findings/childless-owner.js';
import type { Fault } from '../../doctor/input/fault-text.js';
import type { InputProblem } from '../../doctor/input/input-error.js';
import type { Prose } from '../../engine/language/prose.js';

type None = Record<string, never>;

/** Where a manifest is. `file` is absent for standard input. */
type Place = { readonly file: string | undefined; readonly line: number };

/** The lines that the command line writes to standard error, and the answers that no report renders. */
export type CliShapes = {
  readonly 'file-unusable': { readonly problem: InputProblem };
  /** Nothing of the keys is shown. */
  readonly 'approval-keys-unusable': None;
  readonly 'cluster-name-invalid': { readonly name: string };
  readonly 'workload-of-other-kind': { readonly name: string; readonly commands: readonly string[] };
  readonly 'workload-is-namespace': { readonly name: string };
  readonly 'workload-unknown': {
    readonly name: string;
    readonly nearest: readonly string[];
    readonly where: 'recording' | 'cluster';
  };
  readonly 'workload-below-unknown': Pick<ChildlessOwner, 'namespace' | 'name' | 'conditions'>;
  readonly 'namespace-unknown': { readonly name: string; readonly nearest: readonly string[] };
  readonly 'cluster-unknown': { readonly name: string; readonly known: readonly string[] };
  readonly 'owner-unknown': { readonly name: string };
  readonly 'no-cluster': None;
  readonly 'several-workloads': { readonly name: string; readonly choices: readonly string[] };
  readonly 'recording-without-workloads': None;
  readonly 'recording-without-namespace': {
    readonly namespace: string;
    readonly namespaces: readonly string[];
  };
  readonly 'cluster-unreadable': { readonly because: string; readonly message: string };
  /** A message where a library refuses a part of it. */
  readonly 'kubeconfig-unusable': { readonly problem: InputProblem | string };
  /** Where recorded objects would do too. `against` is absent where nothing was named. */
  readonly 'against-unusable': {
    readonly against: string | undefined;
    readonly isAction: boolean;
    readonly problem: InputProblem | string;
  };
  readonly 'time-invalid': { readonly text: string };
  readonly 'time-without-recording': None;
  readonly 'no-objects': { readonly paths: readonly string[] };
  readonly 'no-workloads': None;
  readonly 'manifest-without-name': Place & { readonly kind: string; readonly isTemplate: boolean };
  readonly 'manifest-invalid': Place & {
    readonly kind: string;
    readonly name: string;
    readonly field: string;
    readonly problem: string;
  };
  /** Of the GitHub Action; without `choices` where it is missing. */
  readonly 'input-invalid': { readonly name: string; readonly choices: readonly string[] };
  readonly 'page-without-fragile': None;
  readonly 'too-many-manifests': { readonly max: number };
  /** Of the tools for assistants. */
  readonly 'incident-unknown': { readonly id: string };
  readonly 'too-many-proposals': { readonly minutes: number };
  readonly 'too-much-yaml': { readonly seconds: number };
  readonly 'manifests-too-large': None;
  readonly proposed: { readonly channel: string; readonly isNew: boolean };
  readonly 'record-name': { readonly file: string };
  readonly 'record-exists': { readonly file: string };
  readonly 'record-unwritable': { readonly file: string; readonly why: 'not-a-file' | 'no-folder' };
  readonly 'file-unwritable': { readonly file: string; readonly fault: Fault };
  /** `namespace` is '' for all namespaces. */
  readonly 'record-unread': {
    readonly what: string;
    readonly namespace: string;
    readonly because: string;
    readonly message: string;
  };
  /** A part of a recording that is not read. */
  readonly 'left-out': { readonly problem: InputProblem };
  readonly recorded: { readonly file: string; readonly objects: number; readonly cluster: string };
  readonly 'namespace-twice': None;
  readonly 'namespace-missing': None;
  readonly 'namespace-invalid': { readonly name: string };
  readonly 'workload-missing': None;
  readonly 'watch-without-cluster': None;
  readonly 'watch-without-text': None;
  /** A line that an earlier diagnosis printed. */
  readonly 'watch-gone': { readonly line: Prose };
  readonly 'watch-ended': { readonly diagnoses: number };
  readonly 'sentence-missing': None;
  readonly 'input-empty': None;
  readonly 'line-too-long': { readonly line: number; readonly maxCharacters: number };
  readonly 'input-unusable': { readonly fault: Fault };
  readonly 'too-large': { readonly workload: string; readonly seconds: number };
  readonly 'failed-inside': { readonly message: string };
};
