import type { DestinationStream } from 'pino';
import { answerExplanation } from '#src/edges/library/answers.js';
import { readWorkloads } from '#src/edges/mcp/sight-answers.js';
import { createMetrics } from '#src/edges/metrics/metrics.js';
import { checkStart } from '#src/roots/check-start.js';
import { clustersOf } from '#src/roots/cluster-links.js';
import { createContainer } from '#src/roots/container.js';
import { startApp, type startManifestReader } from '#src/roots/start-app.js';
import type { startEngine } from '#src/roots/start-engine.js';
import { loadConfigOrExit } from '#src/roots/start-or-exit.js';
import { createEngine } from '#src/service/create-engine.js';
import { withBackOff } from '#src/service/diagnose/diagnosis-back-off.js';
import type { StartPart } from '../../demo/stack.js';
import { openWorker } from '../../workers/run-worker-process.js';
import { createWorkerContainer } from '../../workers/worker-container.js';

/** As long as a worker of its own waits for its running jobs. */
const graceMs = 25_000;

const nothing = async (): Promise<void> => undefined;

/** Computes where it is called: a thread loads its modules anew, and compiles them anew. */
const withoutThreads = {
  startEngine: (({ endedDiagnoses }) => ({
    ...withBackOff(createEngine(), endedDiagnoses),
    close: nothing,
  })) satisfies typeof startEngine,
  startManifestReader: (() => ({
    read: async (text) => readWorkloads(text),
    explain: async (message, language) => answerExplanation(message, language),
    close: nothing,
  })) satisfies typeof startManifestReader,
};

/**
 * Starts an app or a worker in the process of the test, with the modules that are loaded already. It is what
 * `src/main.ts` and `workers/run-worker-process.ts` start, without the process around it: signals, exit status,
 * threads and traces are those of `test/system`.
 */
export const inThisProcess: StartPart = async (kind, env, onLine) => {
  const config = loadConfigOrExit(env, kind);
  const output: DestinationStream = {
    write(lines) {
      for (const line of lines.split('\n').filter(Boolean)) onLine(line);
    },
  };
  if (kind === 'app') {
    const metrics = createMetrics();
    const container = createContainer(config, kind, metrics, clustersOf(config, metrics), output);
    await checkStart(container);
    const { port, statusPort, stop } = await startApp(container, withoutThreads);
    return {
      port,
      statusPort,
      async stop() {
        await stop();
        await container.close();
        return 0;
      },
    };
  }
  const container = createWorkerContainer(config, output);
  await checkStart(container);
  const { statusPort, close } = await openWorker(container, {}, withoutThreads.startEngine);
  return {
    statusPort,
    async stop() {
      const hasFinished = await close(graceMs);
      await container.close();
      return hasFinished ? 0 : 1;
    },
  };
};
