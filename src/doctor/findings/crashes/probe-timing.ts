import type { Probe } from '../../../engine/objects/pod-spec.js';

export interface ProbeTarget {
  /** `httpGet`, `tcpSocket`, `exec`, `grpc`. */
  readonly by: string;
  /** `GET :8080/healthz`, `:5432`, a command line. */
  readonly what: string;
  /** The port of the probe, by number or name; absent for commands. */
  readonly port: string | undefined;
}

export function targetOf(probe: Probe): ProbeTarget {
  const { httpGet, tcpSocket, exec, grpc } = probe;
  if (httpGet !== undefined) {
    const port = String(httpGet.port);
    return {
      by: 'httpGet',
      what: `${httpGet.scheme === 'HTTPS' ? 'HTTPS ' : ''}GET :${port}${httpGet.path}`,
      port,
    };
  }
  if (tcpSocket !== undefined)
    return { by: 'tcpSocket', what: `:${tcpSocket.port}`, port: String(tcpSocket.port) };
  if (grpc !== undefined) return { by: 'grpc', what: `:${grpc.port}`, port: String(grpc.port) };
  return { by: 'exec', what: (exec?.command ?? []).join(' '), port: undefined };
}

/**
 * The earliest time at which the probe can end a run, in seconds since the container started: the first check
 * follows the delay, the deciding failure `failureThreshold - 1` periods later (kubernetes
 * `prober/worker.go`).
 */
export function earliestKill({ initialDelaySeconds, periodSeconds, failureThreshold }: Probe): number {
  return initialDelaySeconds + periodSeconds * (failureThreshold - 1);
}

/** The time that the startup probe allows for a start, in seconds. */
export function startupAllowance({ initialDelaySeconds, periodSeconds, failureThreshold }: Probe): number {
  return initialDelaySeconds + periodSeconds * failureThreshold;
}
