import type { Pod } from '../../../engine/objects/pod.js';
import type { Volume } from '../../../engine/objects/pod-spec.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { pathsIn } from '../../log-lines/ending-kinds.js';
import type { Ending, EndingCase, Mounted } from './ending-case.js';
import { adviceOf, claimIn, mountedOf, mountOfPath, readyPodsWith } from './ending-case.js';
import { ending } from './text.js';

/** A file that the program may not read, write or change: what its volume or image means for the fix. */
export function fileRefused(
  kind: 'not-permitted' | 'read-only' | 'file-mode',
  known: EndingCase,
): Omit<Ending, 'kind'> {
  if (kind === 'file-mode') return modeRefused(known);
  const { view, line, pod } = known;
  const paths = pathsIn(line);
  const mounted = mountedOf(pod, view);
  // A copy that is refused names its source too. Where one of the paths is in a volume, that is what differs.
  const inVolume = paths.findLast((path) => mountOfPath(mounted, path) !== undefined);
  const path = inVolume ?? paths.at(-1);
  const at = path === undefined ? undefined : mountOfPath(mounted, path);
  return (
    (kind === 'read-only' ? madeFromObject(known, at) : undefined) ??
    (kind === 'read-only' ? wentReadOnly(known, path) : undefined) ??
    (kind === 'not-permitted' ? withoutGroup(known, at, path) : undefined) ?? {
      reasoning:
        at === undefined
          ? []
          : [
              kind === 'read-only' && at.readOnly
                ? ending('mounted-read-only', { volume: at.volume, path: at.mountPath })
                : ending('file-of-volume', { volume: at.volume, path: at.mountPath }),
            ],
      advice: adviceOf(kind, view, kind === 'not-permitted' ? groupOfFiles : undefined),
      origin: undefined,
    }
  );
}

/** A claim that the pod mounts for writing is read-only by what happened to its disk. */
function wentReadOnly(known: EndingCase, path: string | undefined): Omit<Ending, 'kind'> | undefined {
  const { snapshot, pod, view } = known;
  const at = claimIn(known);
  const volume = pod.spec.volumes.find(({ name }) => name === at?.volume);
  const isWritable = at?.readOnly === false && volume?.persistentVolumeClaim?.readOnly !== true;
  if (at?.claim === undefined || !isWritable) return undefined;
  // Without a path, a mount that is read-only or a ready pod with the claim speaks against the claim.
  const isOther =
    view.spec.volumeMounts.some(({ readOnly }) => readOnly) ||
    readyPodsWith(snapshot, pod.metadata.namespace, at.claim).length > 0;
  if (path === undefined && isOther) return undefined;
  const advice = ending('went-read-only-advice', { node: pod.spec.nodeName ?? '' });
  return {
    reasoning: [
      ending('went-read-only', { claim: at.claim, path: at.mountPath }),
      ...(path === undefined ? [ending('or-root-read-only')] : []),
    ],
    advice: { title: ending('went-read-only-title'), text: advice },
    origin: path === undefined ? undefined : 'volumes',
  };
}

/** A file whose mode the program refuses: who sets the mode, the kubelet from an object or somebody else. */
function modeRefused(known: EndingCase): Omit<Ending, 'kind'> {
  const { view, line, pod } = known;
  const mounted = mountedOf(pod, view);
  const at = pathsIn(line)
    .map((path) => mountOfPath(mounted, path))
    .findLast((each) => each !== undefined);
  const source = at === undefined ? undefined : objectOf(pod, at.volume);
  if (at === undefined || source === undefined) {
    return {
      reasoning:
        at === undefined ? [] : [ending('file-of-volume', { volume: at.volume, path: at.mountPath })],
      advice: adviceOf('file-mode', view),
      origin: undefined,
    };
  }
  const { volume, mountPath } = at;
  return {
    reasoning: [
      ending('file-of-volume', { volume, path: mountPath }),
      ending('mode-of-object', { volume, source }),
    ],
    advice: {
      title: ending('mode-of-object-title'),
      text: ending('mode-of-object-advice', { container: view.name }),
      snippet: `spec:
  template:
    spec:
      volumes:
        - name: ${volume}
          ${source === 'Secret' ? 'secret' : 'configMap'}:
            defaultMode: 0400
`,
    },
    origin: undefined,
  };
}

const groupOfFiles =
  'spec:\n  template:\n    spec:\n      securityContext:\n        fsGroup: …   # a group of the user that the program runs as\n';

function madeFromObject({ pod }: EndingCase, at: Mounted | undefined): Omit<Ending, 'kind'> | undefined {
  const source = at === undefined ? undefined : objectOf(pod, at.volume);
  if (at === undefined || source === undefined) return undefined;
  const { volume, mountPath } = at;
  return {
    reasoning: [ending('mounted-from-object', { volume, path: mountPath, source })],
    advice: { title: ending('copy-first-title'), text: ending('copy-first-advice', { path: mountPath }) },
    origin: undefined,
  };
}

/** The kind of object that the kubelet writes into the volume; it mounts such volumes read-only. */
function objectOf({ spec }: Pod, volume: string): 'ConfigMap' | 'Secret' | undefined {
  const { configMap, secret } = spec.volumes.find(({ name }) => name === volume) ?? {};
  return configMap !== undefined ? 'ConfigMap' : secret !== undefined ? 'Secret' : undefined;
}

/** A path whose files get no group from the pod: of the image, or a volume that the kubelet leaves alone. */
function withoutGroup(
  { snapshot, pod, view }: EndingCase,
  at: Mounted | undefined,
  path: string | undefined,
): Omit<Ending, 'kind'> | undefined {
  if (path === undefined || ofKernel.test(path)) return undefined;
  const { name: container } = view;
  if (at === undefined) {
    return {
      reasoning: [ending('file-of-image', { container, path })],
      advice: { title: ending('image-file-title'), text: ending('image-file-advice', { container }) },
      origin: undefined,
    };
  }
  const { volume, mountPath } = at;
  const source = sourceWithoutGroup(snapshot, pod, at);
  if (source === undefined) return undefined;
  return {
    reasoning: [
      ending('file-of-volume', { volume, path: mountPath }),
      ending('volume-without-group', { volume, source }),
    ],
    advice: isWrittenByDriver(pod, volume)
      ? {
          title: ending('owner-by-driver-title'),
          text: ending('owner-by-driver-advice', { container, driver: source }),
        }
      : {
          title: ending('owner-of-folder-title'),
          text: ending('owner-of-folder-advice', { container, path: mountPath }),
        },
    origin: undefined,
  };
}

/** A CSI volume that the pod itself describes: the driver makes its files. */
function isWrittenByDriver({ spec }: Pod, volume: string): boolean {
  return spec.volumes.some(({ name, csi }) => name === volume && csi !== undefined);
}

/** What the kernel or the runtime puts there. */
const ofKernel = /^\/(?:dev|proc|sys)(?:\/|$)/;

/**
 * The source of a volume on which `fsGroup` has no effect: the kubelet sets the group of what it manages
 * (kubernetes 1.36 `pkg/volume/hostpath/host_path.go`, `pkg/volume/nfs/nfs.go`: `Managed: false`), and of a
 * CSI volume as far as the driver asks for it, by default only of one with a file system of its own for one
 * node (`pkg/volume/csi/csi_mounter.go: supportsFSGroup`).
 */
function sourceWithoutGroup(
  { index: { objects } }: Snapshot,
  { metadata: { namespace }, spec }: Pod,
  { volume, claim }: Mounted,
): string | undefined {
  const inline = spec.volumes.find(({ name }) => name === volume);
  if (inline?.hostPath !== undefined) return 'hostPath';
  if (inline?.nfs !== undefined) return 'nfs';
  if (inline?.csi !== undefined) return inlineWithoutGroup(objects, inline.csi);
  const bound = objects.PersistentVolumeClaim.find(
    ({ metadata }) => metadata.namespace === namespace && metadata.name === claim,
  )?.spec.volumeName;
  const {
    hostPath,
    nfs,
    csi,
    accessModes = [],
  } = objects.PersistentVolume.find(({ metadata }) => metadata.name === bound)?.spec ?? {};
  if (hostPath !== undefined) return 'hostPath';
  if (nfs !== undefined) return 'nfs';
  const driver = driverOf(objects, csi?.driver);
  if (driver === undefined || csi === undefined) return undefined;
  const { fsGroupPolicy } = driver.spec;
  const isOfOneNode = accessModes.some((mode) => mode === 'ReadWriteOnce' || mode === 'ReadWriteOncePod');
  const isLeftAlone =
    fsGroupPolicy === 'None' ||
    (fsGroupPolicy === 'ReadWriteOnceWithFSType' && (csi.fsType === '' || !isOfOneNode));
  return isLeftAlone ? driver.metadata.name : undefined;
}

/** A volume that the pod itself describes counts as one of one node (`csi_mounter.go: supportsFSGroup`). */
function inlineWithoutGroup(
  objects: Objects,
  { driver: name, readOnly, fsType }: NonNullable<Volume['csi']>,
): string | undefined {
  const driver = driverOf(objects, name);
  if (readOnly) return name;
  if (driver === undefined) return undefined;
  const { fsGroupPolicy } = driver.spec;
  const isLeftAlone =
    fsGroupPolicy === 'None' || (fsGroupPolicy === 'ReadWriteOnceWithFSType' && fsType === '');
  return isLeftAlone ? name : undefined;
}

type Objects = Snapshot['index']['objects'];

function driverOf({ CSIDriver }: Objects, name: string | undefined) {
  return CSIDriver.find(({ metadata }) => metadata.name === name);
}
