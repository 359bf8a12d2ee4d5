import type { ClusterConnection } from '#src/edges/kubernetes/cluster-connection.js';
import { createCandidateWatcher } from '#src/edges/kubernetes/sentinel/candidate-watcher.js';

/**
 * Begins the watches of the sentinel and ends them. Returns the server's answer to each, by what it selects.
 *
 * @param namespace '' for all
 */
export async function watchCandidatesOnce(connection: ClusterConnection, namespace: string): Promise<string> {
  const stopping = new AbortController();
  const said = new Map<string, string>();
  const note = (selector: unknown, answer: string): void => {
    said.set(String(selector), answer);
    if (said.size === selections) stopping.abort();
  };
  const listening: ClusterConnection = {
    ...connection,
    async call(request) {
      const answer = await connection.call(request);
      if (answer.status !== 200) note(request.query?.fieldSelector, `not listed (${answer.status})`);
      return answer;
    },
    async stream(request) {
      const answer = await connection.stream(request);
      note(request.query?.fieldSelector, 'chunks' in answer ? 'watched' : `not watched (${answer.status})`);
      return answer;
    },
  };
  const watcher = createCandidateWatcher({ connections: [listening], pageTimeoutMs: 30_000 });
  const nothing = (): void => undefined;
  const late = setTimeout(() => stopping.abort(), 60_000);
  await watcher.watch(
    connection.name,
    namespace,
    { candidate: nothing, inStep: nothing, trouble: nothing },
    stopping.signal,
  );
  clearTimeout(late);
  return [...said]
    .map(([selector, answer]) => `${selector} ${answer}`)
    .sort()
    .join(', ');
}

const selections = 3;
