import { sep } from 'node:path';
import type { ContainerLog } from '../../core/cluster/snapshot.js';
import { redact } from '../../core/redaction/redact.js';
import { readFileTail } from '../../regular-file.js';
import { inWords } from './read-text.js';

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

/** Which container a log file is of, by its path. */
export function logOfPath(path: string): LogOf | undefined {
  const shown = path.split(sep).join('/');
  for (const layout of layouts) {
    const parts = layout.exec(shown)?.groups;
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
export function readLog(path: string, shown: string, of: LogOf, within: string): ContainerLog {
  const read = inWords(shown, () => readFileTail(path, 2 * maxLogBytes, within));
  return logFrom(new TextDecoder().decode(read.bytes), of, read.truncated);
}

/** The end of a log that stands in a text. */
export function logFrom(text: string, of: LogOf, isCutBefore = false): ContainerLog {
  const whole = redact(text.slice(-2 * maxLogBytes));
  const tail = whole.slice(-maxLogBytes);
  const isCut = isCutBefore || text.length > tail.length;
  const lines = tail
    .slice(isCut ? tail.indexOf('\n') + 1 : 0)
    .split('\n')
    .filter((line) => line !== '');
  return { ...of, lines: lines.slice(-maxLogLines), truncated: isCut || lines.length > maxLogLines };
}
