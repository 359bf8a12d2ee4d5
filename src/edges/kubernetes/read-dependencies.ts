import { keptReferences } from '../../engine/objects/config-references.js';
import {
  type FailedConnection,
  lastFailedConnection,
  lastWordsOf,
} from '../../engine/objects/failed-connection.js';
import { selectorQuery } from '../../engine/objects/label-selector.js';
import { containersInCrashLoop, isActive, isReady, type Pod } from '../../engine/objects/pod.js';
import { type Service, serviceNameLabel } from '../../engine/objects/service.js';
import type { ContainerLog } from '../../engine/objects/snapshot.js';
import type { Gathering } from './gathering.js';
import { inTurns } from './gathering.js';

/** Services of one diagnosis; a program rarely names as many that it could not reach. */
const maxServices = 3;
/** Services of a namespace. */
const maxListed = 2_000;
/** Pods behind one Service. */
const maxPods = 500;

/**
 * Reads the Services that containers in back-off name as not reached, with their EndpointSlices and the pods
 * behind them: when they became ready again decides whether a restart helps. Nothing is read where no last
 * words name one.
 */
export async function readDependencies(
  gathering: Pick<Gathering, 'list'>,
  own: readonly Pod[],
  logs: readonly ContainerLog[],
): Promise<void> {
  const failed = own.flatMap((pod) =>
    containersInCrashLoop(pod).flatMap(
      (status) => lastFailedConnection(lastWordsOf(pod, status, logs), pod.metadata.namespace) ?? [],
    ),
  );
  const services = await readServices(gathering, own[0]?.metadata.namespace ?? '', failed);
  await Promise.all(
    services.slice(0, maxServices).flatMap(({ metadata: { namespace, name }, spec: { selector } }) => [
      gathering.list('EndpointSlice', { namespace, labelSelector: `${serviceNameLabel}=${name}` }),
      gathering.list('Pod', {
        namespace,
        labelSelector: selectorQuery({ matchLabels: selector, matchExpressions: [] }),
        max: maxPods,
      }),
    ]),
  );
}

/**
 * Of the own namespace all Services, of which one may have a named address; of another one those with a named
 * name.
 */
async function readServices(
  { list }: Pick<Gathering, 'list'>,
  own: string,
  failed: readonly FailedConnection[],
): Promise<readonly Service[]> {
  const names = new Map(failed.flatMap(({ services }) => services.map((each) => [key(each), each] as const)));
  const addresses = new Set(failed.flatMap((each) => each.addresses));
  const elsewhere = [...names.values()].filter(({ namespace }) => namespace !== own).slice(0, maxServices);
  const isOwn = addresses.size > 0 || [...names.values()].some(({ namespace }) => namespace === own);
  const read = await Promise.all([
    isOwn ? list('Service', { namespace: own, max: maxListed }) : [],
    ...elsewhere.map(({ namespace, name }) =>
      list('Service', { namespace, fieldSelector: `metadata.name=${name}` }),
    ),
  ]);
  return read
    .flat()
    .filter(
      ({ metadata, spec: { selector, clusterIP } }) =>
        Object.keys(selector).length > 0 && (names.has(key(metadata)) || addresses.has(clusterIP)),
    );
}

function key({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

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
