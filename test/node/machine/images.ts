import { readFileSync } from 'node:fs';
import { type ContainerImage, containerImage } from './container-image.js';
import { sandboxImage } from './real-node.js';

/** The preloaded image of programs that a manifest writes as shell scripts. */
export const programImage = 'node.test/program:1';

const applets = 'sh cat dd echo false httpd kill ln mkdir rm sleep touch true'.split(' ');
const folders = ['bin/', 'etc/', 'proc/', 'sys/', 'dev/'].map((path) => ({ path }));

function imageWith(names: readonly string[], script: string, mark: string): ContainerImage {
  return containerImage({
    names,
    entrypoint: ['/bin/sh', '-c', script],
    files: [
      ...folders,
      { path: 'tmp/', mode: 0o1777 },
      { path: 'bin/busybox', data: readFileSync('/bin/busybox'), mode: 0o755 },
      ...applets.map((name) => ({ path: `bin/${name}`, link: 'busybox' })),
      { path: 'etc/passwd', data: 'root:x:0:0:root:/:/bin/sh\n' },
      { path: 'etc/mark', data: mark },
    ],
  });
}

const untilStopped = "trap 'exit 0' TERM INT; while :; do sleep 3600 & wait $!; done";

export const preloadedImages = (): readonly Buffer[] => [
  imageWith([programImage], untilStopped, 'program').archive,
  imageWith([sandboxImage], untilStopped, 'sandbox').archive,
];

/**
 * Its digest differs from those of the preloaded ones: the kubelet verifies a preloaded image of the same
 * digest by a pull.
 */
export const registryImage = (): ContainerImage =>
  imageWith(['registry.test/app:1'], untilStopped, 'registry');
