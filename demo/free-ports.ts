import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the range from which the kernel takes the ports of outgoing connections (`ip_local_port_range`). */
const lowest = 20_000;
const highest = 32_000;

function canBind(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/**
 * Distinct loopback ports that were free a moment ago. Another process may still take one first, so the
 * caller retries with others when a component cannot bind.
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(lowest, highest);
    if (!ports.has(port) && (await canBind(port))) ports.add(port);
  }
  return [...ports];
}

/** One of `freePorts`. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  if (port === undefined) throw new Error('no free port');
  return port;
}
