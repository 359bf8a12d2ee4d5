import { once } from 'node:events';
import { createServer } from 'node:net';

const defaultPort = 3333;
const triedPorts = 20;

/**
 * The named port, else 3333 or the next free one, so that the address is the same in most runs.
 *
 * @returns `undefined` where the named port is in use
 */
export async function choosePagePort(
  named: number | undefined,
  first = defaultPort,
): Promise<number | undefined> {
  if (named !== undefined) return (await isFree(named)) ? named : undefined;
  for (let port = first; port < first + triedPorts; port += 1) {
    if (await isFree(port)) return port;
  }
  return 0;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
