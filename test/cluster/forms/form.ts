import type { V1Pod } from '@kubernetes/client-node';
import type { CauseId } from '#src/doctor/findings/cause-id.js';
import type { RemediationKind } from '#src/doctor/fixes/remediation.js';
import type { WorkloadKind, WorkloadRef } from '#src/engine/objects/workload.js';
import { settled } from '../controls/settled.js';
import type { Cluster } from '../harness/cluster.js';
import type { NodeOptions } from '../harness/node-manifest.js';
import { deadlocks } from '../incidents/incident.js';

/** A correct answer, derived from how the incident was caused and from what happened afterwards. */
export interface FormExpectation {
  /** The finding that must come first, or each correct one; `null`: nothing above informational. */
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

/** The rollout waits until a neighbour, `training`, frees what it needs. */
export const waitsForTraining: FormExpectation = {
  cause: 'capacity-contention',
  never: deadlocks,
  maxConfidence: 'likely',
  mentions: ['training'],
};

/** State that the steps share while the incident is reproduced. */
export interface Scene {
  readonly cluster: Cluster;
  /** The namespace of the diagnosed workload. */
  readonly namespace: string;
  /** Seconds between the recording and the date of the diagnosis. */
  readonly diagnoseAfterSeconds: number;
  /** Namespace and name of an app: `web`, or `ml/training` for one of another namespace. */
  readonly place: (app: string) => Promise<{ readonly namespace: string; readonly name: string }>;
  /** Pods of each app before its template was changed, by name. */
  readonly before: Map<string, readonly string[]>;
  /** Logs by pod, container and run; every simulated kubelet serves the log that was set last. */
  readonly logs: Map<string, string>;
}

export type Step = (scene: Scene) => Promise<void>;

/**
 * One form of a class of incidents. Forms of a class differ from a near miss in as little as possible. They
 * are recorded in `test/scenarios/GROUP/ID`.
 */
export interface Form {
  readonly id: string;
  readonly title: string;
  readonly expected: FormExpectation;
  readonly nodes: readonly NodeOptions[];
  readonly steps: readonly Step[];
  readonly kind?: WorkloadKind;
  /** The diagnosed workload; `web` by default. */
  readonly name?: string;
  readonly diagnoseAfterSeconds?: number;
  /**
   * Later events after which the rollout completes without a change of the workload. Without them nothing
   * changes any longer, which is observed for some seconds.
   */
  readonly ends?: readonly Step[];
  /** Pods that the simulated kubelets start properly after a fix. */
  readonly heals?: (pod: V1Pod, all: readonly V1Pod[]) => boolean;
  /** `false`: too large for a recording, only reproduced. */
  readonly isRecorded?: boolean;
}

export interface FormGroup {
  /** Name of the folder of its recordings. */
  readonly group: string;
  readonly forms: readonly Form[];
}

export interface Reproduced {
  readonly workload: WorkloadRef;
  readonly scene: Scene;
  readonly namespaces: readonly string[];
}

/** Makes the incident happen in an empty cluster and waits until the controllers have counted everything. */
export async function reproduceForm(cluster: Cluster, form: Form): Promise<Reproduced> {
  const { id, nodes, steps, kind = 'Deployment', name = 'web', diagnoseAfterSeconds = 0 } = form;
  cluster.controlPlane.writePodLogs({ current: '', previous: '' });
  const namespace = await cluster.createNamespace(id);
  const others = new Map<string, Promise<string>>();
  const scene: Scene = {
    cluster,
    namespace,
    diagnoseAfterSeconds,
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
