import { randomInt, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import type { Delivered, Delivery, Transport } from './delivery.js';

const Answer = z.object({ envelope_id: z.string(), payload: z.unknown().optional() });

export interface SocketTransport extends Transport {
  /** A path for one connection; a second use is refused. */
  ticket(): string;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Connections that may be sent to. */
  connections(): number;
  /** Payloads acknowledged so far, by connection, in the order of opening. */
  acknowledged(): readonly number[];
  /** Cuts all connections without a word, or only the first. */
  drop(which: 'all' | 'one'): void;
  /** Delivers nothing more to the connections that are open now, which still answer pings. */
  silence(): void;
  /** Tells connections that they end soon (`warning`) or must be renewed now. */
  warn(reason: 'warning' | 'refresh_requested'): void;
}

interface Connection {
  readonly socket: WebSocket;
  isSilent?: true;
  acknowledged: number;
}

const socketTypes = { command: 'slash_commands', interaction: 'interactive', event: 'events_api' } as const;

/**
 * Socket Mode as Slack serves it: up to ten connections, each payload to one of them.
 * source: docs.slack.dev/apis/events-api/using-socket-mode
 */
export function createSocketTransport(options: {
  readonly appId: string;
  readonly ackLimitMs: number;
  readonly changed: () => void;
}): SocketTransport {
  const server = new WebSocketServer({ noServer: true });
  const tickets = new Set<string>();
  const connections: Connection[] = [];
  const waiting = new Map<string, { readonly on: WebSocket; settle(delivered: Delivered): void }>();
  const open = () => connections.filter(({ socket }) => socket.readyState === socket.OPEN);

  function welcome(socket: WebSocket): void {
    const connection: Connection = { socket, acknowledged: 0 };
    connections.push(connection);
    socket.on('message', (data) => {
      const answer = Answer.safeParse(parsed(String(data)));
      if (!answer.success) return;
      const envelope = waiting.get(answer.data.envelope_id);
      if (envelope === undefined) return;
      connection.acknowledged += 1;
      envelope.settle({ type: 'acknowledged', body: answer.data.payload });
    });
    const heartbeat = setInterval(() => socket.ping(), 5000);
    heartbeat.unref();
    socket.on('close', () => {
      clearInterval(heartbeat);
      for (const { on, settle } of waiting.values()) {
        if (on === socket) settle({ type: 'failed', reason: 'dispatch_failed' });
      }
      options.changed();
    });
    socket.on('error', () => socket.terminate());
    socket.send(
      JSON.stringify({
        type: 'hello',
        num_connections: open().length,
        debug_info: { host: 'local-slack', approximate_connection_time: 3600 },
        connection_info: { app_id: options.appId },
      }),
    );
    options.changed();
  }

  return {
    ticket() {
      const ticket = randomUUID();
      tickets.add(ticket);
      return `/link/?ticket=${ticket}`;
    },
    upgrade(request, socket, head) {
      const ticket = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams.get('ticket') ?? '';
      if (!tickets.delete(ticket) || open().length >= 10) {
        socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n');
        return;
      }
      server.handleUpgrade(request, socket, head, welcome);
    },
    deliver(delivery) {
      const candidates = open();
      const chosen = candidates[candidates.length > 0 ? randomInt(candidates.length) : 0];
      if (chosen === undefined) return Promise.resolve({ type: 'failed', reason: 'dispatch_failed' });
      if (chosen.isSilent) return Promise.resolve({ type: 'failed', reason: 'operation_timeout' });
      const envelope_id = randomUUID();
      return new Promise<Delivered>((resolve) => {
        const settle = (delivered: Delivered) => {
          clearTimeout(limit);
          waiting.delete(envelope_id);
          resolve(delivered);
        };
        const limit = setTimeout(
          () => settle({ type: 'failed', reason: 'operation_timeout' }),
          options.ackLimitMs,
        );
        waiting.set(envelope_id, { on: chosen.socket, settle });
        chosen.socket.send(JSON.stringify(envelope(envelope_id, delivery)));
      });
    },
    connections: () => open().length,
    acknowledged: () => connections.map((connection) => connection.acknowledged),
    drop(which) {
      for (const { socket } of which === 'all' ? open() : open().slice(0, 1)) socket.terminate();
    },
    silence() {
      for (const connection of open()) connection.isSilent = true;
    },
    warn(reason) {
      for (const { socket } of open()) {
        socket.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'local-slack' } }));
      }
    },
    async close() {
      // A connection cut in the middle of its farewell leaves Slack's client waiting for half a minute.
      await Promise.all(connections.map(({ socket }) => farewell(socket)));
      server.close();
    },
  };
}

/** Closes politely, and cuts the line when there is no answer. */
function farewell(socket: WebSocket): Promise<void> {
  if (socket.readyState === socket.CLOSED) return Promise.resolve();
  return new Promise((resolve) => {
    const limit = setTimeout(() => socket.terminate(), 1000);
    socket.once('close', () => {
      clearTimeout(limit);
      resolve();
    });
    socket.close(1001);
  });
}

function envelope(envelope_id: string, delivery: Delivery): object {
  return {
    envelope_id,
    type: socketTypes[delivery.kind],
    payload: delivery.payload,
    accepts_response_payload: delivery.kind !== 'event',
    ...(delivery.kind === 'event'
      ? { retry_attempt: delivery.retry?.number ?? 0, retry_reason: delivery.retry?.reason ?? '' }
      : {}),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
