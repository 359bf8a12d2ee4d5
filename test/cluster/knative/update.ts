import type { NodeOptions } from '../harness/node-manifest.js';
import { untilNotCreated } from '../incidents/rolling.js';
import {
  gpu,
  limitGpus,
  type RecordedService,
  type Scene,
  settled,
  type untilPods,
} from '../services/played-controllers.js';
import { openKnative, type RevisionOptions } from './service.js';

type Knative = ReturnType<typeof openKnative>;

interface Update {
  readonly nodes: readonly NodeOptions[];
  readonly first: RevisionOptions;
  /** Of the new revision; the same as of the first one when left out. */
  readonly second?: RevisionOptions;
  /** The pods of the new revision that are waited for. */
  readonly until: Parameters<typeof untilPods>[2];
  readonly traffic?: readonly object[];
  readonly afterwards?: (knative: Knative, scene: Scene) => Promise<unknown>;
  /** The pods of the first revision hold what the new one waits for. */
  readonly isHolding?: boolean;
}

export const oneGpu = { requests: { [gpu]: '1' } };
export const kept = { ...oneGpu, minScale: 1 };
export const twoKept = { ...oneGpu, minScale: 2 };
/** Both pods have to be ready before the revision serves. */
export const twoKeptTogether = { ...twoKept, initialScale: 2 };
export const inMemory = (memory: string) => ({ requests: { memory }, minScale: 1 });

export const gpuNodes = (count: number, gpus = 1) =>
  Array.from({ length: count }, (_, at) => ({ name: `gpu-${at + 1}`, allocatable: { [gpu]: String(gpus) } }));

/** The first revision serves, and the template changes. */
export const updated =
  ({
    nodes,
    first,
    second = first,
    until,
    traffic,
    afterwards,
    isHolding = false,
  }: Update): RecordedService['reproduce'] =>
  async (scene) => {
    await scene.cluster.createNodes(...nodes);
    const knative = openKnative(scene, traffic);
    const pods = await knative.start(first);
    await knative.update(second);
    await knative.pods(2, until);
    await afterwards?.(knative, scene);
    // Pods that only run are recorded while they start.
    if (until.running === undefined) await settled();
    return isHolding ? pods : [];
  };

/** A quota on GPUs refuses the new pod, though a GPU is free. */
export const refusedByQuota =
  (
    { limit, first, second = first }: Pick<Update, 'first' | 'second'> & { readonly limit: number },
    afterwards: (knative: Knative, scene: Scene) => Promise<unknown> = async () => {},
  ): RecordedService['reproduce'] =>
  async (scene) => {
    const { cluster, shop } = scene;
    await cluster.createNodes(...gpuNodes(4));
    await limitGpus(scene, limit);
    const knative = openKnative(scene);
    const pods = await knative.start(first);
    await knative.update(second);
    await untilNotCreated(cluster, shop, knative.revision(2), ['exceeded quota']);
    await afterwards(knative, scene);
    await settled();
    return pods;
  };
