import type { Event } from '../../../engine/objects/event.js';
import type { Pod } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { type LockWord, lockWordOf } from '../../log-lines/lock-words.js';

/** A line of the waiting pod. */
export interface ReadLine {
  readonly container: string;
  readonly line: string;
  /** What it says about a lock or leadership; `undefined` if it is about something else. */
  readonly word: LockWord | undefined;
  /** `probe`: the answer of its readiness probe. */
  readonly from: 'log' | 'probe';
  readonly event: Event | undefined;
}

const probeFailed = 'Readiness probe failed';
/** Characters of a probe's answer that are read. */
const longestProbe = 500;

/** What the log of its containers that are not ready says, then the answers of its readiness probe. */
export function linesOf(snapshot: Snapshot, pod: Pod): readonly ReadLine[] {
  const { metadata, status } = pod;
  const unready = status.containerStatuses.filter(({ ready }) => !ready).map(({ name }) => name);
  const logged = snapshot.logs
    .filter(
      ({ namespace, pod: name, container, previous }) =>
        namespace === metadata.namespace &&
        name === metadata.name &&
        unready.includes(container) &&
        !previous,
    )
    .flatMap(({ container, lines }) =>
      lines.map(
        (line) => ({ container, line, word: lockWordOf(line), from: 'log', event: undefined }) as const,
      ),
    );
  const answered = probeFailures(snapshot, pod).map(
    (event) =>
      ({
        container: unready[0] ?? '',
        line: event.message,
        word: lockWordOf(event.message.slice(probeFailed.length)),
        from: 'probe',
        event,
      }) as const,
  );
  return [...logged, ...answered];
}

/** Failures of its readiness probe, the latest last. */
export function probeFailures({ index }: Snapshot, { metadata }: Pod): readonly Event[] {
  return (index.eventsByUid.get(metadata.uid) ?? []).filter(
    ({ reason, message }) => reason === 'Unhealthy' && message.startsWith(probeFailed),
  );
}

/**
 * An Event holds the status code of an HTTP probe and nothing of the body (kubernetes
 * pkg/probe/http/http.go), and the serving status of a gRPC probe (pkg/probe/grpc/grpc.go). Where nothing
 * listens at the own address, the program gave no answer.
 */
export function isStatusOnly(message: string, waiting: Pod): boolean {
  const said = message.slice(0, longestProbe);
  return (
    said.startsWith(`${probeFailed}: HTTP probe failed with statuscode`) ||
    said.startsWith(`${probeFailed}: service unhealthy (responded with "`) ||
    isRefusedAtItself(message, waiting)
  );
}

/** Nothing listens at the own address of the pod. */
export function isRefusedAtItself(message: string, { status: { podIP = '' } }: Pod): boolean {
  const said = message.slice(0, longestProbe);
  const isOwn = said.includes(`dial tcp ${podIP}:`) || said.includes(`dial tcp [${podIP}]:`);
  return podIP !== '' && isOwn && said.endsWith('connection refused');
}

/**
 * The program answers with a failure of its own, or a command finds no file of it: a path that it does not
 * know is another matter.
 */
export function saysNotReady(message: string): boolean {
  return /^Readiness probe failed:(?: (?:HTTP probe failed with statuscode: 5\d\d|service unhealthy)| ?$| (?:cat|stat|ls|test): .{1,300}\bNo such file or directory\s?$)/.test(
    message.slice(0, longestProbe),
  );
}
