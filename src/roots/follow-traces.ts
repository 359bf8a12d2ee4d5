import type { Config } from '../settings/config.js';

/**
 * Sends traces where a collector is configured; its client is loaded only then. @returns the function that
 * ends it
 */
export async function followTraces(
  { otlpEndpoint }: Pick<Config, 'otlpEndpoint'>,
  process: 'app' | 'worker',
): Promise<() => Promise<void>> {
  if (otlpEndpoint === undefined) return async () => undefined;
  const { startTracing } = await import('../edges/telemetry/start-tracing.js');
  return startTracing({ endpoint: otlpEndpoint, process });
}
