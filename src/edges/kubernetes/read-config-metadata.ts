import { keptReferences } from '../../engine/objects/config-references.js';
import { isActive, isReady, type Pod } from '../../engine/objects/pod.js';
import type { Gathering } from './gathering.js';
import { inTurns } from './in-turns.js';

/**
 * Kinds whose metadata may be read, where an operator has granted and set it; no Secret is read otherwise.
 */
export type ConfigMetadata = readonly ('ConfigMap' | 'Secret')[];

/** Objects of one diagnosis; a pod rarely names as many. */
const maxObjects = 20;
const atOnce = 8;

/**
 * Reads the metadata of what running containers of pods that are not ready took when they started, each
 * object by its name. What is not there is simply not kept, and a refusal ends in `unseen`.
 */
export async function readConfigMetadata(
  gathering: Pick<Gathering, 'get'>,
  own: readonly Pod[],
  allowed: ConfigMetadata,
): Promise<void> {
  if (allowed.length === 0) return;
  const wanted = own
    .filter((pod) => isActive(pod) && !isReady(pod) && (pod.spec.nodeName ?? '') !== '')
    .flatMap((pod) =>
      [...pod.spec.initContainers, ...pod.spec.containers].flatMap((container) =>
        keptReferences(pod, container)
          .filter(({ kind, name }) => name !== '' && allowed.includes(kind))
          .map(({ kind, name }) => ({ kind, namespace: pod.metadata.namespace, name })),
      ),
    );
  const once = new Map(wanted.map((each) => [`${each.kind}/${each.name}`, each]));
  await inTurns(atOnce, [...once.values()].slice(0, maxObjects), ({ kind, ...at }) =>
    gathering.get(kind, at),
  );
}
