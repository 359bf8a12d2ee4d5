import { boundText } from '../language/text-scanning.js';
import type { ContainerStatus, Pod } from './pod.js';
import { type ContainerLog, endedLogOf } from './snapshot.js';

/** Where a Service is found. */
type ServiceName = { readonly namespace: string; readonly name: string };

/** What a line names as the target of a connection that failed. */
export interface FailedConnection {
  readonly services: readonly ServiceName[];
  /** IPv4 addresses, of which one may be the `clusterIP` of a Service. */
  readonly addresses: readonly string[];
}

/** A program names what it could not reach at the end of its output. */
const maxLines = 6;
const maxLine = 500;

/**
 * The last lines of the ended run of a container: of its termination message, then of its log. A program
 * wrote them, so each is bounded before anything is matched in it. Empty where neither was read.
 */
export function lastWordsOf(
  pod: Pod,
  status: ContainerStatus,
  logs: readonly ContainerLog[],
): readonly string[] {
  const log = endedLogOf(logs, pod, status.name);
  const { message = '' } = status.state.terminated ?? status.lastState.terminated ?? {};
  return [message.split('\n'), log?.lines ?? []].flatMap((lines) =>
    lines
      .filter((line) => line.trim() !== '')
      .slice(-maxLines)
      .map((line) => boundText(line, maxLine)),
  );
}

/** The last of these lines that names the target of a failed connection. */
export function lastFailedConnection(
  lines: readonly string[],
  namespace: string,
): (FailedConnection & { readonly line: string }) | undefined {
  for (const line of [...lines].reverse()) {
    const failed = failedConnectionIn(line, namespace);
    if (failed.services.length > 0 || failed.addresses.length > 0) return { ...failed, line };
  }
  return undefined;
}

/** What clients write about a target that does not answer or that DNS does not know. */
const failure =
  /refused|unreachable|unavailable|no route to host|timeout|timed out|no such host|not known|not resolve|enotfound|eai_again|unknownhost|translate host name|(can't|cannot|could not|unable to|failed to) connect/i;

/**
 * The targets that a line names as not reached; none where it reports no failed connection. Service names
 * follow the DNS names of Services (kubernetes `dns-pod-service`): `name`, `name.namespace`,
 * `name.namespace.svc` and what follows.
 *
 * @param namespace of the pod, in which short names are resolved
 */
export function failedConnectionIn(line: string, namespace: string): FailedConnection {
  if (!failure.test(line)) return { services: [], addresses: [] };
  const services = new Map<string, ServiceName>();
  const addresses = new Set<string>();
  for (const { 0: host, index } of line.matchAll(/[A-Za-z0-9.-]+/g)) {
    const labels = withoutLastDot(host).toLowerCase().split('.');
    if (isAddress(labels)) addresses.add(labels.join('.'));
    else if (labels.every(isLabel)) {
      const isHost = labels.length > 1 || isMarkedAsHost(line, index, index + host.length);
      const service = isHost ? serviceOf(labels, namespace) : undefined;
      if (service !== undefined) services.set(`${service.namespace}/${service.name}`, service);
    }
  }
  return { services: [...services.values()], addresses: [...addresses] };
}

/** A sentence may end with a host. */
function withoutLastDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

function isAddress(labels: readonly string[]): boolean {
  return labels.length === 4 && labels.every((label) => /^\d{1,3}$/.test(label));
}

/** RFC 1035, as names of Services are. */
function isLabel(label: string): boolean {
  return /^[a-z][a-z0-9-]*$/.test(label) && label.length <= 63 && !label.endsWith('-');
}

/**
 * `pod.name.namespace.svc` names one pod behind a headless Service. Two labels may also be a domain of the
 * internet.
 */
function serviceOf(labels: readonly string[], own: string): ServiceName | undefined {
  const svc = labels.indexOf('svc', 2);
  if (svc >= 0) return { namespace: labels[svc - 1] ?? '', name: labels[svc - 2] ?? '' };
  const [name = '', namespace] = labels;
  if (labels.length === 1) return { namespace: own, name };
  return labels.length === 2 && namespace === own ? { namespace: own, name } : undefined;
}

const marksBefore = ['lookup ', 'ENOTFOUND ', 'EAI_AGAIN ', 'Exception: ', 'host: ', 'host=', '@', '//'];

/** Characters before a word that may hold a mark. */
const markLength = 16;

/** Whether a single word stands where clients write a host: before a port, in quotes, or after a mark. */
function isMarkedAsHost(line: string, start: number, end: number): boolean {
  const before = line[start - 1] ?? '';
  const after = line[end] ?? '';
  if (after === ':' && /^\d/.test(line.slice(end + 1, end + 2))) return true;
  if ((before === '"' || before === "'") && after === before) return true;
  if (after === '@') return false;
  const former = line.slice(Math.max(0, start - markLength), start);
  return marksBefore.some((mark) => former.endsWith(mark));
}
