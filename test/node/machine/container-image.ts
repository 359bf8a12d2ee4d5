import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type TarEntry, tarOf } from './tar.js';

export interface ImageShape {
  /** Names under which a runtime knows the image, such as `node.test/app:1`. */
  readonly names: readonly string[];
  readonly entrypoint: readonly string[];
  readonly files: readonly TarEntry[];
}

/**
 * An image of one layer in the OCI layout: an archive for `ctr images import`, and its blobs for a registry.
 */
export interface ContainerImage {
  readonly archive: Buffer;
  readonly manifest: string;
  readonly blobs: ReadonlyMap<string, Buffer>;
}

const oci = 'application/vnd.oci.image';
export const manifestType = `${oci}.manifest.v1+json`;

export function containerImage({ names, entrypoint, files }: ImageShape): ContainerImage {
  const blobs = new Map<string, Buffer>();
  const put = (data: Buffer, mediaType: string) => {
    const digest = digestOf(data);
    blobs.set(digest, data);
    return { mediaType, digest, size: data.length };
  };
  const putJson = (value: unknown, mediaType: string) => put(Buffer.from(JSON.stringify(value)), mediaType);
  const layer = tarOf(files);
  const manifest = putJson(
    {
      schemaVersion: 2,
      mediaType: manifestType,
      config: putJson(
        {
          architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
          os: 'linux',
          config: { Entrypoint: entrypoint, Env: ['PATH=/bin'] },
          rootfs: { type: 'layers', diff_ids: [digestOf(layer)] },
        },
        `${oci}.config.v1+json`,
      ),
      layers: [put(gzipSync(layer), `${oci}.layer.v1.tar+gzip`)],
    },
    manifestType,
  );
  const index = {
    schemaVersion: 2,
    manifests: names.map((name) => ({
      ...manifest,
      annotations: { 'io.containerd.image.name': name, 'org.opencontainers.image.ref.name': tagOf(name) },
    })),
  };
  const archive = tarOf([
    { path: 'oci-layout', data: '{"imageLayoutVersion":"1.0.0"}' },
    { path: 'index.json', data: JSON.stringify(index) },
    ...[...blobs].map(([digest, data]) => ({ path: `blobs/${digest.replace(':', '/')}`, data })),
  ]);
  return { archive, manifest: manifest.digest, blobs };
}

function digestOf(data: Buffer): string {
  return `sha256:${createHash('sha256').update(data).digest('hex')}`;
}

function tagOf(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}
