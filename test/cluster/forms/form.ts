import type { V1Pod } from '@kubernetes/client-node';
import type { WorkloadKind, WorkloadRef } from '#src/core/cluster/workload.js';
import type { CauseId } from '#src/core/diagnosis/cause-id.js';
import type { RemediationKind } from '#src/core/remediation/remediation.js';
import { settled } from '../controls/settled.js';
import type { Cluster } from '../harness/cluster.js';
import type { NodeOptions } from '../harness/node-manifest.js';

/** The content of a correct answer, known from how the incident was created and from what followed. */
export interface FormExpectation {
  /** The finding that must come first, or each that is right; `null`: nothing above informational. */
  readonly cause: CauseId | readonly CauseId[] | null;
  readonly never?: readonly CauseId[];
  /** Further findings above informational that must be there. */
  readonly also?: readonly CauseId[];
  readonly resource?: string;
  readonly nodes?: readonly string[];
  readonly minConfidence?: 'likely' | 'proven';
  readonly maxConfidence?: 'possible' | 'likely';
  /** Kinds of which one must be offered first. */
  readonly firstFix?: readonly RemediationKind[];
  readonly neverFix?: readonly RemediationKind[];
  /** Words that the answer must contain. */
  readonly mentions?: readonly string[];
  /** Upper bound of the downtime of each fix that is offered. */
  readonly maxDowntimeSeconds?: number;
}

/** What steps know of the incident while it is brought about. */
export interface Scene {
  readonly cluster: Cluster;
  /** The namespace of the workload that is asked about. */
  readonly namespace: string;
  /** Seconds between the recording and the date of the diagnosis. */
  readonly lookAfterSeconds: number;
  /** Namespace and name of an app: `web`, or `ml/training` for one of another namespace. */
  readonly place: (app: string) => Promise<{ readonly namespace: string; readonly name: string }>;
  /** Pods of each app before its template was changed, by name. */
  readonly before: Map<string, readonly string[]>;
  /** Logs by pod, container and run; every simulated kubelet serves the log that was set last. */
  readonly logs: Map<string, string>;
}

export type Step = (scene: Scene) => Promise<void>;

/**
 * One form of a class of incidents. Forms of a class differ from a near miss in as little as possible. They are
 * recorded in `test/scenarios/GROUP/ID`.
 */
export interface Form {
  readonly id: string;
  readonly title: string;
  readonly expected: FormExpectation;
  readonly nodes: readonly NodeOptions[];
  readonly steps: readonly Step[];
  readonly kind?: WorkloadKind;
  /** The diagnosed workload. Default `web`. */
  readonly name?: string;
  readonly lookAfterSeconds?: number;
  /**
   * What others do next, after which the rollout completes without a change of the workload. Without it nothing
   * changes any more, which is observed for some seconds.
   */
  readonly ends?: readonly Step[];
  /** Pods that the simulated kubelets start properly after a fix. */
  readonly heals?: (pod: V1Pod, all: readonly V1Pod[]) => boolean;
  /** `false`: too large for a recording, only brought about. */
  readonly isRecorded?: boolean;
}

export interface FormGroup {
  /** Name of the folder of its recordings. */
  readonly group: string;
  readonly forms: readonly Form[];
}

export interface BroughtAbout {
  readonly workload: WorkloadRef;
  readonly scene: Scene;
  readonly namespaces: readonly string[];
}

/** Makes the incident happen in an empty cluster and waits until the controllers have counted everything. */
export async function bringFormAbout(cluster: Cluster, form: Form): Promise<BroughtAbout> {
  const { id, nodes, steps, kind = 'Deployment', name = 'web', lookAfterSeconds = 0 } = form;
  cluster.controlPlane.writePodLogs({ current: '', previous: '' });
  const namespace = await cluster.createNamespace(id);
  const others = new Map<string, Promise<string>>();
  const scene: Scene = {
    cluster,
    namespace,
    lookAfterSeconds,
    before: new Map(),
    logs: new Map(),
    place: async (app) => {
      const [first = '', second] = app.split('/');
      if (second === undefined) return { namespace, name: first };
      const other = others.get(first) ?? cluster.createNamespace(`${namespace}-${first}`);
      others.set(first, other);
      return { namespace: await other, name: second };
    },
  };
  await cluster.createNodes(...nodes);
  for (const step of steps) await step(scene);
  const namespaces = [namespace, ...(await Promise.all(others.values()))];
  for (const each of namespaces) await settled(cluster, each);
  return { workload: { cluster: 'test', kind, namespace, name }, scene, namespaces };
}
