import { z } from 'zod';
import type { ApiObject } from '../api-object.js';
import { type JsonObject, listAt, textAt } from '../json.js';
import type { Registry } from '../registry/registry.js';
import { requireResourceType } from '../resources/resource-types.js';
import type { PodBehaviour } from './pod-behaviour.js';

/** How containers of an image behave, on all nodes or on some: what a program's code and its node decide. */
export const Conduct = z.strictObject({
  /** The image, or how it begins. */
  image: z.string().min(1),
  /** Names of the nodes where it does; absent: everywhere. */
  nodes: z.array(z.string()).optional(),
  /** Only with this environment. */
  env: z.record(z.string(), z.string()).optional(),
  /** False: it never answers its readiness probe. */
  ready: z.boolean().optional(),
  log: z.string().optional(),
  pullError: z.string().optional(),
  crash: z
    .strictObject({
      afterMs: z.number().nonnegative(),
      exitCode: z.number().int(),
      reason: z.string().default('Error'),
      log: z.string().optional(),
      message: z.string().optional(),
      probe: z.strictObject({ kind: z.enum(['Liveness', 'Startup']), says: z.string() }).optional(),
    })
    .optional(),
});
export type Conduct = z.input<typeof Conduct>;

const Conducts = z.array(Conduct);

const configMaps = requireResourceType('', 'configmaps');
const where = { namespace: 'kube-system', name: 'local-kubelet' } as const;
const key = 'conduct.json';

/**
 * The ConfigMap that tells the kubelets of this cluster what programs do; edit it, and the next run does
 * otherwise.
 */
export function conductObject(conduct: readonly Conduct[]): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...where },
    data: { [key]: `${JSON.stringify(conduct, undefined, 2)}\n` },
  };
}

/** What the ConfigMap says now. */
export function conductsNow({ store }: Registry): readonly Conduct[] {
  const stored = store.get(configMaps.storage, `${where.namespace}/${where.name}`);
  return stored === undefined ? [] : conductsIn(stored);
}

const parsed = new WeakMap<ApiObject, z.output<typeof Conducts>>();

/** What the ConfigMap says of the pod on its node; `undefined` where it says nothing, or cannot be read. */
export function conductOf({ store }: Registry, pod: ApiObject): Partial<PodBehaviour> | undefined {
  const stored = store.get(configMaps.storage, `${where.namespace}/${where.name}`);
  if (stored === undefined) return undefined;
  const node = textAt(pod, 'spec', 'nodeName') ?? '';
  const found = conductsIn(stored).find(({ image, nodes, env = {} }) =>
    listAt(pod, 'spec', 'containers').some(
      (container) =>
        (textAt(container, 'image') ?? '').startsWith(image) &&
        (nodes === undefined || nodes.includes(node)) &&
        Object.entries(env).every(([name, value]) =>
          listAt(container, 'env').some((each) => each.name === name && each.value === value),
        ),
    ),
  );
  if (found === undefined) return undefined;
  const { log, pullError, crash, ready } = found;
  return {
    ...(ready === false ? { readyMs: undefined } : {}),
    ...(log === undefined ? {} : { log }),
    ...(pullError === undefined ? {} : { pullError }),
    ...(crash === undefined ? {} : { crash: withoutAbsent(crash) }),
  };
}

function conductsIn(stored: ApiObject): z.output<typeof Conducts> {
  let known = parsed.get(stored);
  if (known === undefined) {
    known = Conducts.safeParse(json(textAt(stored, 'data', key) ?? '[]')).data ?? [];
    parsed.set(stored, known);
  }
  return known;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

type Given = NonNullable<z.output<typeof Conduct>['crash']>;

function withoutAbsent({ log, message, probe, ...crash }: Given): NonNullable<PodBehaviour['crash']> {
  return {
    ...crash,
    ...(log === undefined ? {} : { log }),
    ...(message === undefined ? {} : { message }),
    ...(probe === undefined ? {} : { probe }),
  };
}
