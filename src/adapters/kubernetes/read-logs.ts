import type { Pod } from '../../core/cluster/pod.js';
import type { ContainerLog } from '../../core/cluster/snapshot.js';
import { redact } from '../../core/redaction/redact.js';
import { type ApiCall, unanswered, unreadable } from './api-call.js';
import type { Gathering } from './gathering.js';
import { inTurns } from './in-turns.js';
import { objectPath } from './resource-paths.js';

/** Runs whose end is read; a few siblings say what the others would. */
const maxRuns = 6;
const tailLines = 60;
const limitBytes = 32_768;
const atOnce = 4;

/**
 * The last lines of runs that ended badly: the previous run of a container that was restarted, and the current one
 * of a container that is not ready. Bounded in number and bytes, redacted before anything else sees them.
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
      return failing ? [{ pod, container: status.name, previous: status.restartCount > 0 }] : [];
    }),
  );
  const logs = await inTurns(atOnce, runs.slice(0, maxRuns), async ({ pod, container, previous }) => {
    const { namespace, name } = pod.metadata;
    try {
      const answer = await call({
        path: `${objectPath('Pod', namespace, name)}/log`,
        query: { container, previous, tailLines, limitBytes },
        accept: 'text/plain, */*',
        signal,
      });
      if (answer.status === 400 || answer.status === 404) return undefined;
      if (answer.status !== 200) {
        gathering.miss('PodLog', namespace, unreadable(answer));
        return undefined;
      }
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
      const lines = redact(text)
        .split('\n')
        .filter((line) => line !== '');
      return { namespace, pod: name, container, previous, lines, truncated: text.length >= limitBytes };
    } catch (error) {
      gathering.miss('PodLog', namespace, unanswered(error));
      return undefined;
    }
  });
  return logs.filter((log) => log !== undefined);
}
