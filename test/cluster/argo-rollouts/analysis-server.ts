import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KubernetesObject } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';

/** What an analysis measures: `pass` succeeds, `fail` fails, anything else has no conclusion. */
export type Measured = 'pass' | 'fail' | 'neither';

export interface AnalysisServer {
  /** Answers this from now on. */
  readonly measure: (value: Measured) => void;
  readonly stop: () => Promise<void>;
}

export const analysisName = 'measured';

/**
 * Starts a server that the analyses of the controller ask, and creates the AnalysisTemplate that asks it
 * once.
 */
export async function startAnalysisServer(
  cluster: Cluster,
  namespace: string,
  first: Measured,
): Promise<AnalysisServer> {
  let value = first;
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ value }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await cluster.objects.create({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AnalysisTemplate',
    metadata: { namespace, name: analysisName },
    spec: {
      metrics: [
        {
          name: 'value',
          successCondition: "result == 'pass'",
          failureCondition: "result == 'fail'",
          provider: { web: { url: `http://127.0.0.1:${port}/`, jsonPath: '{$.value}' } },
        },
      ],
    },
  } as KubernetesObject);
  return {
    measure: (next) => {
      value = next;
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
