import type { ObjectOf, ResourceKind } from '../../engine/objects/cluster-objects.js';
import { textUid } from './described/described-kind.js';

type RawFields = Record<string, unknown>;
interface RawObject {
  readonly metadata?: RawFields | null;
  readonly involvedObject?: RawFields | null;
}
interface Named {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/**
 * People and their tools remove uids. Owners and events name objects by uid, so that those without one get
 * theirs from kind and name, as descriptions do.
 */
export function createUidNames() {
  const given = new Set<string>();
  const renamed = <Reference extends Named>(reference: Reference, namespace: string): Reference => {
    const uid = textUid(reference.kind, namespace, reference.name);
    return given.has(uid) && reference.uid !== uid ? { ...reference, uid } : reference;
  };

  return {
    /** Completes an object as it was read, before it is parsed. */
    name(kind: ResourceKind, document: object): void {
      const { metadata, involvedObject } = document as RawObject;
      if (typeof metadata !== 'object' || metadata === null) return;
      const { namespace = '', ownerReferences } = metadata;
      if (metadata.uid === undefined || metadata.uid === null) {
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
        each.uid ??= textUid(String(each.kind), String(each.namespace ?? namespace), String(each.name));
      }
    },

    /**
     * The object, whose references may still state uids that their objects came without. Asked when all
     * objects are known.
     */
    joined<Object extends ObjectOf<ResourceKind>>(object: Object): Object {
      if (given.size === 0) return object;
      const { metadata } = object;
      const ownerReferences = metadata.ownerReferences.map((each) => renamed(each, metadata.namespace));
      const about = 'involvedObject' in object ? object.involvedObject : undefined;
      return {
        ...object,
        metadata: { ...metadata, ownerReferences },
        ...(about !== undefined && { involvedObject: renamed(about, about.namespace) }),
      };
    },
  };
}
