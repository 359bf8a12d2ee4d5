import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** A `.tar.gz` as a source controller serves it. */
export interface Artifact {
  readonly url: string;
  /** `sha256:…` of the archive. */
  readonly digest: string;
  readonly size: number;
}

export interface ArtifactServer {
  /** Serves an archive with one file, under a path of its own. */
  publish(name: string, content: string): Artifact;
  stop(): Promise<void>;
}

/** One entry of a POSIX tar archive, padded to whole blocks of 512 bytes. */
function tarEntry(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(512);
  const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`;
  header.write(name, 0);
  header.write(octal(0o644, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(content.length, 12), 124);
  header.write(octal(0, 12), 136);
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

/** Serves artifacts on a free port of 127.0.0.1. */
export async function startArtifactServer(): Promise<ArtifactServer> {
  const archives = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const archive = archives.get(request.url ?? '');
    response.writeHead(archive === undefined ? 404 : 200, { 'content-type': 'application/gzip' });
    response.end(archive);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    publish(name, content) {
      const end = Buffer.alloc(1_024);
      const archive = gzipSync(Buffer.concat([tarEntry(name, Buffer.from(content)), end]));
      const hash = createHash('sha256').update(archive).digest('hex');
      const path = `/${hash}.tar.gz`;
      archives.set(path, archive);
      return { url: `http://127.0.0.1:${port}${path}`, digest: `sha256:${hash}`, size: archive.length };
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
