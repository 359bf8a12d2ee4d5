import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export type Direction = 'commands' | 'answers';

/** The network between a process and its Redis, which can fail in the ways that networks do. */
export interface RedisLink {
  /** Of REDIS_URL. */
  readonly url: string;
  /** Connections that were cut in the middle of an answer. */
  readonly cuts: number;
  /** Bytes arrive so much later, in each direction. */
  slow(ms: number): void;
  /**
   * Bytes of this direction wait until the link is mended, as TCP sends them again. Neither side receives an
   * error.
   */
  hold(...directions: readonly Direction[]): void;
  /**
   * Open connections transport nothing any more, without an error, as after the loss of Redis's node. New
   * ones work.
   *
   * @param words only connections over which one of these is sent, and new ones too, until the link is mended
   */
  forget(...words: readonly string[]): void;
  /** Ends every connection, and refuses new ones until the link is mended. */
  cut(): void;
  /** Ends the connection in the middle of every answer for whose number this is true. */
  cutAnswers(isCut: (answer: number) => boolean): void;
  mend(): void;
  close(): Promise<void>;
}

interface Connection {
  readonly sockets: readonly [Socket, Socket];
  isForgotten: boolean;
  /** The end of what was sent, which tells connections apart. */
  sent: string;
}

const keptCharacters = 4_096;

export async function openRedisLink(to: string): Promise<RedisLink> {
  const target = new URL(to);
  const open = new Set<Connection>();
  let delayMs = 0;
  let held: ReadonlySet<Direction> = new Set();
  let forgotten: readonly string[] = [];
  let isRefused = false;
  let isCut = (_answer: number): boolean => false;
  let answers = 0;
  let cuts = 0;
  let onMended = (): void => undefined;
  let mended = Promise.resolve();

  const end = (connection: Connection): void => {
    open.delete(connection);
    for (const socket of connection.sockets) socket.destroy();
  };
  const pass = (connection: Connection, from: Socket, to: Socket, direction: Direction): void => {
    let passed = Promise.resolve();
    from.on('data', (bytes: Buffer) => {
      if (direction === 'commands') {
        connection.sent = (connection.sent + bytes.toString('latin1')).slice(-keptCharacters);
        connection.isForgotten ||= forgotten.some((word) => connection.sent.includes(word));
      }
      const due = Date.now() + delayMs;
      passed = passed.then(async () => {
        while (held.has(direction)) await mended;
        const wait = due - Date.now();
        if (wait > 0) await delay(wait);
        if (connection.isForgotten || to.destroyed) return;
        if (direction === 'answers') answers += 1;
        if (direction === 'commands' || !isCut(answers)) return void to.write(bytes);
        cuts += 1;
        to.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => end(connection));
      });
    });
    from.on('error', () => undefined);
    from.on('close', () => void passed.then(() => (connection.isForgotten ? undefined : end(connection))));
  };

  const server = createServer((client) => {
    if (isRefused) return void client.destroy();
    const redis = connect(Number(target.port), target.hostname);
    const connection: Connection = { sockets: [client, redis], isForgotten: false, sent: '' };
    open.add(connection);
    pass(connection, client, redis, 'commands');
    pass(connection, redis, client, 'answers');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `redis://127.0.0.1:${address.port}`,
    get cuts() {
      return cuts;
    },
    slow(ms) {
      delayMs = ms;
    },
    hold(...directions) {
      held = new Set(directions);
      mended = new Promise((resolve) => {
        onMended = resolve;
      });
    },
    forget(...words) {
      forgotten = words;
      for (const connection of open)
        connection.isForgotten ||= words.length === 0 || words.some((word) => connection.sent.includes(word));
    },
    cut() {
      isRefused = true;
      for (const connection of [...open]) end(connection);
    },
    cutAnswers(which) {
      isCut = which;
    },
    mend() {
      delayMs = 0;
      held = new Set();
      forgotten = [];
      isRefused = false;
      isCut = () => false;
      onMended();
    },
    async close() {
      onMended();
      for (const connection of [...open]) end(connection);
      server.close();
      await once(server, 'close');
    },
  };
}
