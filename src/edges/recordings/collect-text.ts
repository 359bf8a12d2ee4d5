import { plainFault } from '../../doctor/input/input-error.js';
import { redact } from '../../doctor/redaction/redact.js';
import { controllerOf } from '../../engine/objects/metadata.js';
import type { ContainerLog } from '../../engine/objects/snapshot.js';
import type { createCollector } from './collect-objects.js';
import { type CountedPod, containersIn, ordinalOf } from './described/derived-status.js';
import type { BlockOfNode, Described, KnownObject } from './described/described-kind.js';
import { columnsOf, eventOfRow, type TextEvent } from './described/events.js';
import type { Fields } from './described/fields.js';
import { type JoinedDescriptions, joinDescribed } from './described/join-described.js';
import { readBlock } from './described/kinds.js';
import type { TextPart } from './described/split-text.js';
import type { RecordedFile } from './read-documents.js';
import { RecordingError } from './recording-error.js';

/** Parts that were left out, for people. */
const maxSkipped = 20;

/** Takes the parts of texts one by one, in the order of their files, and ties them together at the end. */
export function createTextCollector() {
  const described: Described[] = [];
  /** The fields of the last description of each object. */
  const fieldsOf = new Map<string, Fields>();
  const events: TextEvent[] = [];
  const nodes: BlockOfNode[] = [];
  const logs: ContainerLog[] = [];
  const skipped: RecordingError[] = [];
  const skip = (error: RecordingError): void => {
    if (skipped.length < maxSkipped) skipped.push(error);
  };

  return {
    take(part: TextPart, shown: string): void {
      const place = { line: part.line };
      switch (part.type) {
        case 'described': {
          // No name has a space.
          if (/^Name:\s+\S+\s+\S/u.test(part.lines[0] ?? '')) {
            skip(new RecordingError(shown, place, plainFault('two-columns')));
            return;
          }
          const block = readBlock(part.lines);
          if (block.type === 'other') {
            skip(
              new RecordingError(shown, place, { key: 'other-description', values: { name: block.name } }),
            );
            return;
          }
          const { kind, metadata } = block.described.object;
          const key = `${kind}/${metadata.namespace}/${metadata.name}`;
          const before = fieldsOf.get(key);
          if (before !== undefined && isCutOff(block.fields, before)) return;
          fieldsOf.set(key, block.fields);
          described.push(block.described);
          if (kind === 'Node') nodes.push({ name: metadata.name, fields: block.fields });
          return;
        }
        case 'events':
          for (const row of part.rows) {
            const event = eventOfRow(part.header, row);
            if (event !== undefined) events.push(event);
          }
          return;
        case 'table':
          skip(
            new RecordingError(shown, place, { key: 'only-table', values: { command: commandFor(part) } }),
          );
          return;
        case 'log': {
          const { namespace, pod, container, lines } = part;
          if (lines.length > 0)
            logs.push(logFrom(lines.join('\n'), { namespace, pod, container, previous: false }));
          return;
        }
        default:
          return;
      }
    },

    logs: (): readonly ContainerLog[] => logs,
    skipped: (): readonly RecordingError[] => skipped,

    /** What the descriptions come to beside the objects that were read in another form. */
    join(collector: ReturnType<typeof createCollector>, at: string | undefined): JoinedDescriptions {
      if (described.length === 0 && events.length === 0) {
        return { objects: [], partly: [], nodesWithOtherPods: [] };
      }
      const { known, owners, pods } = knownOf(collector);
      return joinDescribed({ described, events, nodes, known, owners, pods, newest: collector.newest(), at });
    },
  };
}

/**
 * A description that ends where another one of the same object goes on: `kubectl describe … | head`. A newer
 * description may lack fields as well, and they are not the last ones.
 */
function isCutOff(fields: Fields, whole: Fields): boolean {
  const [keys, others] = [[...fields.keys()], [...whole.keys()].filter((key) => key !== 'Events')];
  return keys.length < others.length && keys.every((key, at) => key === others[at]);
}

function knownOf(collector: ReturnType<typeof createCollector>): {
  readonly known: readonly KnownObject[];
  readonly owners: readonly KnownObject[];
  readonly pods: readonly CountedPod[];
} {
  const known: KnownObject[] = [];
  const owners: KnownObject[] = [];
  const pods: CountedPod[] = [];
  for (const { object, lacking } of collector.objects()) {
    const { kind, metadata } = object;
    const { namespace, name, uid } = metadata;
    const isWithoutStatus = lacking.some((path) => path.startsWith('status'));
    const isTemplated = object.kind === 'Deployment' || object.kind === 'ReplicaSet';
    known.push({
      kind,
      namespace,
      name,
      uid,
      ...(isWithoutStatus && { isWithoutStatus }),
      ...(isTemplated && {
        template: {
          raw: object.spec.template.raw,
          revision: metadata.annotations['deployment.kubernetes.io/revision'],
        },
      }),
    });
    for (const owner of metadata.ownerReferences) owners.push({ ...owner, namespace });
    if (object.kind !== 'Pod') continue;
    pods.push({
      ownerUid: controllerOf(object)?.uid ?? '',
      ready:
        metadata.deletionTimestamp === undefined &&
        object.status.conditions.some(({ type, status }) => type === 'Ready' && status === 'True'),
      revision: metadata.labels['controller-revision-hash'],
      ordinal: ordinalOf(name),
      containers: containersIn(object.spec),
      annotations: metadata.annotations,
    });
  }
  return { known, owners, pods };
}

/** Columns that only one resource has (kubernetes `printers/internalversion`), more specific ones first. */
const resourceByColumns: readonly (readonly [resource: string, columns: readonly string[]])[] = [
  ['daemonsets', ['DESIRED', 'CURRENT', 'UP-TO-DATE']],
  ['replicasets', ['DESIRED', 'CURRENT']],
  ['deployments', ['UP-TO-DATE', 'AVAILABLE']],
  ['pods', ['RESTARTS']],
  ['nodes', ['ROLES', 'VERSION']],
  ['persistentvolumeclaims', ['VOLUME', 'ACCESS MODES']],
  ['persistentvolumes', ['RECLAIM POLICY']],
  ['storageclasses', ['PROVISIONER']],
  ['volumeattachments', ['ATTACHER']],
  ['csinodes', ['DRIVERS']],
  ['horizontalpodautoscalers', ['REFERENCE', 'MINPODS']],
  ['poddisruptionbudgets', ['MIN AVAILABLE']],
  ['jobs', ['COMPLETIONS']],
  ['cronjobs', ['SCHEDULE']],
  ['services', ['CLUSTER-IP']],
  ['endpointslices', ['ADDRESSTYPE']],
  ['leases', ['HOLDER']],
  ['priorityclasses', ['GLOBAL-DEFAULT']],
  ['configmaps', ['DATA']],
  ['resourcequotas', ['REQUEST']],
  ['statefulsets', ['READY', 'AGE']],
];

/** The command that prints what a table leaves out. */
function commandFor({ header, firstRow }: TextPart & { readonly type: 'table' }): string {
  const titles = new Set(columnsOf(header).map(({ title }) => title));
  const named = /^(?:\S+\s+)??([a-z]+)(?:\.[a-z0-9.]+)?\//u.exec(firstRow)?.[1];
  const found = resourceByColumns.find(([, columns]) => columns.every((column) => titles.has(column)));
  const resource = named === undefined ? (found?.[0] ?? 'deploy,rs,sts,ds,pods,events') : `${named}s`;
  return `kubectl get ${resource}${titles.has('NAMESPACE') ? ' -A' : ''} -o yaml`;
}

const maxLogBytes = 64 * 1024;
const maxLogLines = 60;
/** Container logs of one recording. */
export const maxLogs = 5_000;

type LogOf = Pick<ContainerLog, 'namespace' | 'pod' | 'container' | 'previous'>;

/**
 * Where programs put the log of a container, each with its source:
 * - `logs/NAMESPACE_POD_CONTAINER.log`, by hand;
 * - `namespaces/NS/pods/POD/CONTAINER/CONTAINER/logs/current.log`: openshift/oc
 *   `pkg/cli/admin/inspect/pod.go`;
 * - `cluster-resources/pods/logs/NS/POD/CONTAINER.log`: replicatedhq/troubleshoot `pkg/collect/logs.go`.
 */
const layouts: readonly RegExp[] = [
  /(?:^|\/)logs\/(?<namespace>[^_/]+)_(?<pod>[^_/]+)_(?<container>[^_/]+?)(?<previous>\.previous)?\.log$/u,
  /(?:^|\/)namespaces\/(?<namespace>[^/]{1,300})\/pods\/(?<pod>[^/]{1,300})\/(?<container>[^/]{1,300})\/[^/]{1,300}\/logs\/(?:current|(?<previous>previous))(?:\.insecure)?\.log$/u,
  /(?:^|\/)pods\/logs\/(?<namespace>[^/]{1,300})\/(?<pod>[^/]{1,300})\/(?<container>(?![^/]{0,300}-logs-errors\.log$)[^/]{1,300}?)(?<previous>-previous)?\.log$/u,
];

/** Which container a log file is of, by its path, whose parts are separated by `/`. */
export function logOfPath(path: string): LogOf | undefined {
  for (const layout of layouts) {
    const parts = layout.exec(path)?.groups;
    if (parts === undefined) continue;
    const { namespace = '', pod = '', container = '', previous } = parts;
    return { namespace, pod, container, previous: previous !== undefined };
  }
  return undefined;
}

/**
 * The end of a log file. More is redacted than kept: a value may stand lines below its name. @throws
 * RecordingError
 */
export async function readLog(file: RecordedFile, of: LogOf): Promise<ContainerLog> {
  const { bytes, truncated } = await file.tail(2 * maxLogBytes);
  return logFrom(new TextDecoder().decode(bytes), of, truncated);
}

/** The end of a log that stands in a text. */
function logFrom(text: string, of: LogOf, isCutBefore = false): ContainerLog {
  const whole = redact(text.slice(-2 * maxLogBytes));
  const tail = whole.slice(-maxLogBytes);
  const isCut = isCutBefore || text.length > tail.length;
  const lines = tail
    .slice(isCut ? tail.indexOf('\n') + 1 : 0)
    .split('\n')
    .filter((line) => line !== '');
  return { ...of, lines: lines.slice(-maxLogLines), truncated: isCut || lines.length > maxLogLines };
}
