import type { ObjectOf, ResourceKind } from '../../engine/objects/cluster-objects.js';
import { textUid } from './described/described-kind.js';

type RawFields = Record<string, unknown>;
interface RawObject {
  readonly metadata?: RawFields | null;
  readonly involvedObject?: RawFields | null;
  readonly status?: RawFields | null;
}
type Named = { readonly kind: string; readonly name: string; readonly uid: string };

/**
 * People and their tools remove uids. Owners and events name objects by uid, so that those without one get
 * theirs from kind and name, as descriptions do.
 */
export function createUidNames() {
  const given = new Set<string>();
  /** Text that people put in place of every uid. */
  const shared = new Set<string>();
  const renamed = <Reference extends Named>(reference: Reference, namespace: string): Reference => {
    const uid = textUid(reference.kind, namespace, reference.name);
    const isUnknown = given.has(uid) || shared.has(reference.uid);
    return isUnknown && reference.uid !== uid ? { ...reference, uid } : reference;
  };

  /** A claim names the pods that use it by uid as well. */
  const usersRenamed = ({
    metadata,
    status,
  }: ObjectOf<'ResourceClaim'>): ObjectOf<'ResourceClaim'>['status'] => ({
    ...status,
    reservedFor: status.reservedFor.map((each) =>
      each.resource === 'pods'
        ? { ...each, uid: renamed({ ...each, kind: 'Pod' }, metadata.namespace).uid }
        : each,
    ),
  });

  return {
    /** Completes an object as it was read, before it is parsed. */
    name(kind: ResourceKind, document: object): void {
      const { metadata, involvedObject, status } = document as RawObject;
      if (typeof metadata !== 'object' || metadata === null) return;
      const { namespace = '', ownerReferences } = metadata;
      if (metadata.uid === undefined || metadata.uid === null || metadata.uid === '') {
        const uid = textUid(kind, String(namespace), String(metadata.name));
        metadata.uid = uid;
        given.add(uid);
      }
      const named = [
        ...(Array.isArray(ownerReferences) ? (ownerReferences as RawFields[]) : []),
        involvedObject,
      ];
      for (const each of named) {
        if (typeof each !== 'object' || each === null) continue;
        if (each.uid === '') each.uid = undefined;
        each.uid ??= textUid(String(each.kind), String(each.namespace ?? namespace), String(each.name));
      }
      const users = Array.isArray(status?.reservedFor) ? (status.reservedFor as (RawFields | null)[]) : [];
      for (const each of users) {
        if (each?.resource === 'pods') each.uid ??= textUid('Pod', String(namespace), String(each.name));
      }
    },

    /**
     * Finds the uids that several objects have: they name none of them. Gives these objects. Asked once, when
     * all objects are known: an object that came without its uid may have been replaced by one that has it.
     */
    shared(objects: Iterable<ObjectOf<ResourceKind>>): readonly ObjectOf<ResourceKind>[] {
      const seen = new Set<string>();
      const all = [...objects];
      const kept = new Set(all.map(({ metadata }) => metadata.uid));
      for (const uid of given) if (!kept.has(uid)) given.delete(uid);
      for (const { metadata } of all) (seen.has(metadata.uid) ? shared : seen).add(metadata.uid);
      return shared.size === 0 ? [] : all.filter(({ metadata }) => shared.has(metadata.uid));
    },

    /**
     * The object, whose references may still state uids that their objects came without. Asked when all
     * objects are known.
     */
    joined<Object extends ObjectOf<ResourceKind>>(object: Object): Object {
      if (given.size === 0 && shared.size === 0) return object;
      const { kind, metadata } = object;
      const own = shared.has(metadata.uid) ? { uid: textUid(kind, metadata.namespace, metadata.name) } : {};
      const ownerReferences = metadata.ownerReferences.map((each) => renamed(each, metadata.namespace));
      const about = 'involvedObject' in object ? object.involvedObject : undefined;
      return {
        ...object,
        ...(object.kind === 'ResourceClaim' && { status: usersRenamed(object) }),
        metadata: { ...metadata, ...own, ownerReferences },
        ...(about !== undefined && { involvedObject: renamed(about, about.namespace) }),
      };
    },
  };
}
