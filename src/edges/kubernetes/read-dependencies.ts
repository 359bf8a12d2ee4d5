import { leaseNamedIn } from '../../doctor/log-lines/lock-words.js';
import { redacting } from '../../doctor/redaction/redact.js';
import { keptReferences } from '../../engine/objects/config-references.js';
import type { FailedConnection } from '../../engine/objects/failed-connection.js';
import { lastFailedConnection, lastWordsOf } from '../../engine/objects/failed-connection.js';
import { selectorQuery } from '../../engine/objects/label-selector.js';
import { containersInCrashLoop, isActive, isReady, type Pod } from '../../engine/objects/pod.js';
import { type Service, serviceNameLabel } from '../../engine/objects/service.js';
import type { ContainerLog } from '../../engine/objects/snapshot.js';
import { inPieces } from '../http/bounded-json.js';
import { type ApiCall, unanswered, unreadable } from './api-call.js';
import { type Gathering, inTurns } from './gathering.js';
import { objectPath } from './resource-paths.js';

/** Services of one diagnosis; a program rarely names as many that it could not reach. */
const maxServices = 3;
/** Services of a namespace. */
const maxListed = 2_000;
/** Pods behind one Service. */
const maxPods = 500;

/** Reads what the logs of the pods name: Services that were not reached, and the records of elections. */
export async function readNamedInLogs(
  gathering: Pick<Gathering, 'list' | 'get' | 'objects'>,
  own: readonly Pod[],
  logs: readonly ContainerLog[],
  allowed: ConfigMetadata,
): Promise<void> {
  await Promise.all([readDependencies(gathering, own, logs), readLeaders(gathering, own, logs, allowed)]);
}

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

function key({ namespace, name }: { namespace: string; name: string }): string {
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

/** Elections of one diagnosis; a program rarely takes part in as many. */
const maxElections = 4;

/**
 * Reads who leads where older clients record it: in an annotation of Endpoints or of a ConfigMap. Only the
 * record is read that a pod which is not ready names as `namespace/name`, and that no Lease has. Of a
 * ConfigMap an operator must have allowed it. What does not exist is not kept, and a refusal ends in
 * `unseen`.
 */
export async function readLeaders(
  gathering: Pick<Gathering, 'get' | 'objects'>,
  own: readonly Pod[],
  logs: readonly ContainerLog[],
  allowed: ConfigMetadata,
): Promise<void> {
  const waiting = own.filter((pod) => isActive(pod) && !isReady(pod));
  // Where no pod is ready, no pod of the workload can be the leader that another one waits for.
  if (waiting.length === 0 || !own.some(isReady)) return;
  const { Event, Lease } = gathering.objects();
  const names = new Set(waiting.map(({ metadata }) => metadata.name));
  const uids = new Set(waiting.map(({ metadata }) => metadata.uid));
  const namespace = own[0]?.metadata.namespace ?? '';
  const lines = [
    ...logs.filter(({ pod }) => names.has(pod)).flatMap((log) => log.lines),
    ...Event.filter(
      ({ reason, involvedObject }) => reason === 'Unhealthy' && uids.has(involvedObject.uid),
    ).map(({ message }) => message),
  ];
  const elections = new Set(
    lines.flatMap((line) => {
      const named = leaseNamedIn(line);
      return named?.namespace === namespace ? [named.name] : [];
    }),
  );
  const unknown = [...elections].filter((name) => !Lease.some(({ metadata }) => metadata.name === name));
  await Promise.all(
    unknown
      .slice(0, maxElections)
      .flatMap((name) => [
        gathering.get('Endpoints', { namespace, name }),
        ...(allowed.includes('ConfigMap') ? [gathering.get('ConfigMap', { namespace, name })] : []),
      ]),
  );
}

/** Runs whose end is read; a few siblings say what the others would. */
const maxRuns = 6;
const maxLines = 60;
/** Lines that are read before those and left out again: the name of a secret may be in them. */
const linesBefore = 120;
/** The API server cuts the end off, not the start. */
const limitBytes = 98_304;
/**
 * An API server need not cut at `limitBytes` exactly; one that does not cut at all is not read to the end.
 */
const maxLogBytes = 2 * limitBytes;
const logsAtOnce = 4;

/**
 * The last lines of runs that ended badly: the previous run of a container that was restarted, and the
 * current one of a container that is not ready. Bounded in number and bytes, redacted before anything else
 * sees them.
 */
export async function readLogs(
  call: ApiCall,
  gathering: Gathering,
  pods: readonly Pod[],
  signal: AbortSignal,
): Promise<readonly ContainerLog[]> {
  const runs = pods.flatMap((pod) =>
    [...pod.status.initContainerStatuses, ...pod.status.containerStatuses].flatMap((status) => {
      const ended = status.lastState.terminated ?? status.state.terminated;
      const failing = ended !== undefined || (!status.ready && status.state.running !== undefined);
      // Of a container that is down, the newest run is the current one, and the kubelet removes the logs of
      // older runs.
      const previous = status.restartCount > 0 && status.state.terminated === undefined;
      return failing ? [{ pod, container: status.name, previous }] : [];
    }),
  );
  const logs = await inTurns(logsAtOnce, runs.slice(0, maxRuns), async ({ pod, container, previous }) => {
    const { namespace, name } = pod.metadata;
    try {
      const answer = await call({
        path: `${objectPath('Pod', namespace, name)}/log`,
        query: { container, previous, tailLines: maxLines + linesBefore, limitBytes },
        accept: 'text/plain, */*',
        maxBytes: maxLogBytes,
        signal,
      });
      if (answer.status === 400 || answer.status === 404) return undefined;
      if (answer.status !== 200) {
        gathering.miss('PodLog', namespace, unreadable(answer));
        return undefined;
      }
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
      if (isRemoved(text)) return undefined;
      // Servers keep to the limit of bytes; a text that is longer anyway is cut here.
      const redacted = await inPieces(redacting(text.slice(0, limitBytes)));
      const lines = redacted
        .split('\n')
        .filter((line) => line !== '')
        .slice(-maxLines);
      return { namespace, pod: name, container, previous, lines, truncated: text.length >= limitBytes };
    } catch (error) {
      gathering.miss('PodLog', namespace, unanswered(error));
      return undefined;
    }
  });
  return logs.filter((log) => log !== undefined);
}

/**
 * The kubelet answers with status 200 and this sentence in place of the log of a container that it has
 * removed (`kuberuntime_container.go: GetContainerLogs`). No program wrote it.
 */
function isRemoved(text: string): boolean {
  return text.startsWith('unable to retrieve container logs for ') && !text.trimEnd().includes('\n');
}
