import { connect, type Socket } from 'node:net';

/** A TCP connection that sends given bytes and keeps the response. */
export interface RawConnection {
  readonly socket: Socket;
  /** Everything received so far. */
  received(): string;
  /** Status codes received so far, in order. */
  statuses(): readonly number[];
  isClosed(): boolean;
}

export function openConnection(port: number, first: string | Buffer = ''): RawConnection {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  let closed = false;
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    closed = true;
  });
  if (first.length > 0) socket.write(first);
  return {
    socket,
    received: () => text,
    statuses: () => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)),
    isClosed: () => closed,
  };
}

/** The head of a request, as bytes on the wire. */
export function requestHead(
  method: string,
  path: string,
  headers: Readonly<Record<string, string | number>>,
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\nhost: attack\r\n${lines.join('')}\r\n`;
}
