import { type ClusterIndex, indexObjects } from '../../engine/objects/cluster-index.js';
import type { ClusterObjects, ObjectOf, ResourceKind } from '../../engine/objects/cluster-objects.js';
import { resourceKinds } from '../../engine/objects/cluster-objects.js';
import type { ServerVersion } from '../../engine/objects/release-rules.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';

/** Some milliseconds of copying. */
const maxObjectsInPiece = 200;

/** What the snapshots of one read share: nearly all of their size. */
type Piece =
  | {
      readonly type: 'objects';
      readonly kind: ResourceKind;
      readonly objects: readonly ObjectOf<ResourceKind>[];
    }
  | {
      readonly type: 'rest';
      readonly podsReadOn: ReadonlySet<string> | undefined;
      readonly serverVersion: ServerVersion | undefined;
      readonly rest: Pick<Snapshot, 'logs' | 'unseen'>;
    };

/** What is of one snapshot alone. */
export type OwnPart = Omit<Snapshot, 'index' | 'logs' | 'unseen'>;

export function ownPartOf({ index: _, logs: _logs, unseen: _unseen, ...own }: Snapshot): OwnPart {
  return own;
}

/** The shared part of a snapshot in pieces that can be copied to a thread one after the other. */
export function* piecesOf({ index, logs, unseen }: Snapshot): Iterable<Piece> {
  for (const kind of resourceKinds) {
    const objects = index.objects[kind];
    for (let from = 0; from < objects.length; from += maxObjectsInPiece) {
      yield { type: 'objects', kind, objects: objects.slice(from, from + maxObjectsInPiece) };
    }
  }
  const { podsReadOn, serverVersion } = index;
  yield { type: 'rest', podsReadOn, serverVersion, rest: { logs, unseen } };
}

const known = new WeakMap<object, Omit<Snapshot, keyof OwnPart>>();

/** Puts a snapshot together again; the pieces of one read are indexed once. */
export function snapshotFrom(own: OwnPart, pieces: readonly unknown[]): Snapshot {
  const shared = known.get(pieces) ?? sharedFrom(pieces as readonly Piece[]);
  known.set(pieces, shared);
  return { ...own, workload: sameIn(shared.index, own.workload), ...shared };
}

function sharedFrom(pieces: readonly Piece[]): Omit<Snapshot, keyof OwnPart> {
  const objects = Object.fromEntries(resourceKinds.map((kind) => [kind, [] as unknown[]]));
  let last: Extract<Piece, { readonly type: 'rest' }> | undefined;
  for (const piece of pieces) {
    if (piece.type === 'objects') objects[piece.kind]?.push(...piece.objects);
    else last = piece;
  }
  const index = indexObjects(objects as unknown as ClusterObjects, last?.podsReadOn, last?.serverVersion);
  return { index, logs: last?.rest.logs ?? [], unseen: last?.rest.unseen ?? [] };
}

/** The workload is one of the objects; a copy of its own would be another object. */
function sameIn({ objects }: ClusterIndex, workload: Snapshot['workload']): Snapshot['workload'] {
  const same = objects[workload.kind].find(({ metadata }) => metadata.uid === workload.metadata.uid);
  return same ?? workload;
}
