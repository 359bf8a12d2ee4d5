import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject } from '@kubernetes/client-node';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { readCustom, untilCustom } from '../owners/harness/custom-objects.js';
import { patchObject, type Scene, untilPods } from '../services/played-controllers.js';
import { idleAnnotation } from './played-data-path.js';

const apiVersion = 'serving.knative.dev/v1';
const revisionLabel = 'serving.knative.dev/revision';

export interface RevisionOptions {
  /** `autoscaling.knative.dev/min-scale`; absent: the autoscaler may go to zero. */
  readonly minScale?: number;
  /** `autoscaling.knative.dev/initial-scale`: pods that have to be ready before the revision is. */
  readonly initialScale?: number;
  readonly deadlineSeconds?: number;
  readonly requests?: Readonly<Record<string, string>>;
  /** One that the controller looks up in its registry; absent: one whose registry it leaves alone. */
  readonly image?: string;
  /** The pod never becomes ready. */
  readonly isSlow?: boolean;
  /** No request is under way. */
  readonly isIdle?: boolean;
  /** Its pods never stop. */
  readonly isStaying?: boolean;
}

interface Status {
  readonly latestCreatedRevisionName?: string;
  readonly latestReadyRevisionName?: string;
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason?: string;
    readonly message?: string;
  }[];
}

/** A Knative Service `llm` beside the real controllers, and what people do with it. */
export function openKnative(scene: Scene, traffic: readonly object[] = [], name = 'llm') {
  const { cluster, shop } = scene;
  let generation = 0;
  const nameOf = (at: number): string => `${name}-${String(at).padStart(5, '0')}`;
  const target = { apiVersion, kind: 'Service', metadata: { namespace: shop, name } };
  const untilStatus = (check: (status: Status) => boolean): Promise<unknown> =>
    untilCustom(cluster, target, ({ status = {} }) => check(status));
  const podsOf = (at: number, wanted: Parameters<typeof untilPods>[2]): Promise<string[]> =>
    untilPods(scene, { [revisionLabel]: nameOf(at) }, wanted);

  function templateOf(options: RevisionOptions): object {
    const { minScale, initialScale, deadlineSeconds, requests = {}, isSlow, isIdle, isStaying } = options;
    const limits = Object.fromEntries(Object.entries(requests).filter(([key]) => key.includes('/')));
    const annotations = {
      'autoscaling.knative.dev/min-scale': minScale,
      'autoscaling.knative.dev/initial-scale': initialScale,
      'serving.knative.dev/progress-deadline': deadlineSeconds && `${deadlineSeconds}s`,
      [kubeletAnnotation.start]: isSlow && 'not-ready',
      [kubeletAnnotation.stop]: isStaying && 'never',
      [idleAnnotation]: isIdle && 'yes',
    };
    const declared = Object.entries(annotations).filter(([, value]) => value !== undefined);
    const { image = `registry.example/llm:${generation}` } = options;
    return {
      metadata: { annotations: Object.fromEntries(declared.map(([key, value]) => [key, String(value)])) },
      spec: { containers: [{ image, resources: { requests, limits } }] },
    };
  }

  return {
    revision: nameOf,
    pods: podsOf,
    untilStatus,
    async start(options: RevisionOptions): Promise<readonly string[]> {
      generation = 1;
      const spec = { template: templateOf(options), traffic: traffic.length === 0 ? undefined : traffic };
      await cluster.create({ ...target, spec } as KubernetesObject);
      return await serving(options.minScale);
    },
    serving,
    /** One more revision is made. */
    async update(options: RevisionOptions): Promise<void> {
      generation += 1;
      await patchObject(scene, 'KnativeService', name, { spec: { template: templateOf(options) } });
      await untilStatus((status) => status.latestCreatedRevisionName === nameOf(generation));
    },
    route: (targets: readonly object[]) =>
      patchObject(scene, 'KnativeService', name, { spec: { traffic: targets } }),
    /** Somebody changes the min-scale of a revision. */
    keep: (at: number, minScale: number) =>
      patchObject(scene, 'Revision', nameOf(at), {
        metadata: { annotations: { 'autoscaling.knative.dev/min-scale': String(minScale) } },
      }),
    /** A newer revision serves, and the autoscaler has stopped the pods of the others. */
    async untilOnly(at: number): Promise<void> {
      await untilStatus((status) => status.latestReadyRevisionName === nameOf(at));
      for (let other = 1; other < at; other += 1) await gone(other);
    },
    gone,
    /** What Knative says about a revision contains these words. */
    async untilRevision(at: number, words: string): Promise<void> {
      const revision = { apiVersion, kind: 'Revision', metadata: { namespace: shop, name: nameOf(at) } };
      const expiry = Date.now() + 150_000;
      while (!JSON.stringify((await readCustom(cluster, revision)).status).includes(words)) {
        if (Date.now() > expiry) throw new Error(`${nameOf(at)} never said "${words}"`);
        await delay(250);
      }
    },
    refused: (at = generation, pods = 1) => podsOf(at, { refused: pods }),
  };

  /** The first revision serves. Returns its pods. */
  async function serving(minScale = 1): Promise<readonly string[]> {
    const names = await podsOf(1, { ready: Math.max(1, minScale) });
    await untilStatus(({ latestReadyRevisionName }) => latestReadyRevisionName === nameOf(1));
    await untilStatus(({ conditions = [] }) =>
      conditions.some(({ type, status }) => type === 'Ready' && status === 'True'),
    );
    return names;
  }

  async function gone(at: number): Promise<void> {
    await cluster.until({
      what: `no pod of ${nameOf(at)}`,
      selection: { kind: 'Pod', namespace: shop, labels: { [revisionLabel]: nameOf(at) } },
      check: (pods) => (pods.length === 0 ? true : undefined),
      deadlineMilliseconds: 150_000,
    });
  }
}
