import type { KubernetesObject } from '@kubernetes/client-node';
import { expect } from 'vitest';
import type { Kind } from '../harness/resources.js';
import type { Scene } from '../services/played-controllers.js';

/** Waits until the only object of the kind has these fields in its spec. */
export function untilSpec({ cluster, shop }: Scene, kind: Kind, spec: object): Promise<KubernetesObject> {
  return cluster.until<KubernetesObject & { readonly spec?: object }, KubernetesObject>({
    what: `${kind} with ${JSON.stringify(spec)}`,
    selection: { kind, namespace: shop },
    check: ([one]) => {
      try {
        expect(one?.spec).toMatchObject(spec);
        return one;
      } catch {
        return undefined;
      }
    },
  });
}
