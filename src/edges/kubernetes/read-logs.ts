import { redacting } from '../../doctor/redaction/redact.js';
import type { Pod } from '../../engine/objects/pod.js';
import type { ContainerLog } from '../../engine/objects/snapshot.js';
import { inPieces } from '../http/bounded-json.js';
import { type ApiCall, unanswered, unreadable } from './api-call.js';
import type { Gathering } from './gathering.js';
import { inTurns } from './gathering.js';
import { objectPath } from './resource-paths.js';

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
const atOnce = 4;

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
  const logs = await inTurns(atOnce, runs.slice(0, maxRuns), async ({ pod, container, previous }) => {
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
