import type { Application, GitRepository, HelmRelease, Kustomization } from '../../engine/objects/gitops.js';
import { isKserveKind, type KserveService } from '../../engine/objects/inference-service.js';
import { servedField, type UnreadOwner } from '../../engine/objects/snapshot.js';
import { isObject, type JsonObject } from '../../engine/objects/wire.js';
import { addOnAbove, type Workload } from '../../engine/objects/workload.js';
import {
  chartRepositoryOf,
  gitRepositoryOf,
  kustomizationOf,
  type OwnerRef,
  ownerRefsOf,
  parentOf,
} from '../../engine/owners/owner-objects.js';
import type { WrittenObject } from '../../engine/owners/writers.js';
import { namedOwnerOf, ownerFieldsOf } from '../../engine/parents/parent-resource.js';
import type { ApiCall } from './api-call.js';
import type { Gathering } from './gathering.js';
import { cachedList } from './list-reading.js';
import { listObjects, readObject } from './read-objects.js';
import { resourcePaths } from './resource-paths.js';
import { workloadNames } from './workload-names.js';

/** The object that people own above the workload, and those of the tools that write either. */
export async function readOwners(
  call: ApiCall,
  gathering: Gathering,
  workload: Workload,
  signal: AbortSignal,
): Promise<readonly UnreadOwner[]> {
  const owner = await readNamedOwner(call, gathering, workload, signal);
  const object = 'kind' in owner ? owner : workload;
  const unread = await readOwnerObjects(call, gathering, object, signal);
  return 'kind' in owner ? unread : [...owner, ...unread];
}

/**
 * Whether workloads of the add-on above this one may be read: then people ask about those, and else the
 * answer lacks them.
 */
export async function readAddOnAbove(
  call: ApiCall,
  gathering: Gathering,
  workload: Workload,
  signal: AbortSignal,
): Promise<void> {
  const kind = addOnAbove(workload);
  if (kind === undefined) return;
  const { namespace } = workload.metadata;
  const names = await workloadNames(call, [kind], namespace, signal, () => true);
  if ('type' in names) gathering.miss(kind, namespace, names);
}

/**
 * Reads the object that people own above the workload, in which its changes are made. The right to do so is
 * optional (deploy/rbac/kserve). What could not be read is returned.
 */
async function readNamedOwner(
  call: ApiCall,
  gathering: Pick<Gathering, 'keep'>,
  workload: Workload,
  signal: AbortSignal,
): Promise<KserveService | readonly UnreadOwner[]> {
  const ref = namedOwnerOf(workload);
  if (ref === undefined || !isKserveKind(ref.kind)) return [];
  const { kind, namespace, name } = ref;
  const read = await readObject(call, kind, { namespace, name }, signal);
  if (read.type !== 'read') return [{ kind, because: read.type === 'missing' ? 'missing' : read.because }];
  gathering.keep(kind, [read.value]);
  return read.value;
}

/** Applications of one name in all namespaces; each namespace of Argo CD could have one. */
const maxNamesakes = 5;

/**
 * Reads the Application, Kustomization and HelmRelease that the marks of the workload name, each by its name.
 * The right to do so is optional (deploy/rbac/owners): what could not be read is returned, and verdicts then
 * state what they rest on. What names the place in Git is read after them. Without marks nothing is read.
 */
export async function readOwnerObjects(
  call: ApiCall,
  gathering: Pick<Gathering, 'keep'>,
  workload: WrittenObject,
  signal: AbortSignal,
): Promise<readonly UnreadOwner[]> {
  const read = async ({ kind, namespace, name }: OwnerRef): Promise<readonly UnreadOwner[]> => {
    if (namespace === '') {
      // A mark of Argo CD states no namespace where the Application is in the namespace of Argo CD itself.
      const selection = { fieldSelector: `metadata.name=${name}`, max: maxNamesakes, reading: cachedList };
      const listed = await listObjects(call, kind, selection, signal);
      if (listed.type === 'unreadable') return [{ kind, because: listed.because }];
      const { items } = listed.value;
      if (items.length !== 1) return [{ kind, because: items.length === 0 ? 'missing' : 'ambiguous' }];
      gathering.keep(kind, items);
      await readParents(items);
      return [];
    }
    const found = await readObject(call, kind, { namespace, name }, signal);
    if (found.type !== 'read')
      return [{ kind, because: found.type === 'missing' ? 'missing' : found.because }];
    gathering.keep(kind, [found.value]);
    await readParents([found.value]);
    return (await Promise.all(behind(found.value).map(read))).flat();
  };
  /** One level: without it, values in the Application are not edited, and nothing else rests on it. */
  const readParents = async (owners: readonly Owner[]): Promise<void> => {
    const [owner] = owners;
    const parent = owner?.kind === 'Application' ? parentOf(owner) : undefined;
    if (parent === undefined) return;
    const { kind, namespace, name } = parent;
    if (namespace !== '') {
      const found = await readObject(call, kind, { namespace, name }, signal);
      if (found.type === 'read') gathering.keep(kind, [found.value]);
      return;
    }
    const selection = { fieldSelector: `metadata.name=${name}`, max: maxNamesakes, reading: cachedList };
    const listed = await listObjects(call, kind, selection, signal);
    if (listed.type !== 'unreadable' && listed.value.items.length === 1)
      gathering.keep(kind, listed.value.items);
  };
  return (await Promise.all(ownerRefsOf(workload).map(read))).flat();
}

type Owner = Application | Kustomization | HelmRelease | GitRepository;

/** The objects that lead from an owner to its place in Git. */
function behind(owner: Owner): readonly OwnerRef[] {
  const refs =
    owner.kind === 'Kustomization'
      ? [gitRepositoryOf(owner)]
      : owner.kind === 'HelmRelease'
        ? [kustomizationOf(owner), chartRepositoryOf(owner)]
        : [];
  return refs.flatMap((each) => each ?? []);
}

/**
 * Whether the definition of the object above the workload has the field for the strategy, where only some
 * releases do. The API server drops a field that it lacks. Everybody who is authenticated may read
 * definitions as OpenAPI (ClusterRole `system:discovery`). None where that could not be read: then a change
 * of the field is not offered.
 */
export async function readServedFields(
  call: ApiCall,
  gathering: Pick<Gathering, 'objects'>,
  workload: Workload,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const owner = namedOwnerOf(workload);
  if (owner?.kind !== 'LLMInferenceService' || !isKserveKind(owner.kind)) return [];
  if (gathering.objects()[owner.kind].length === 0) return [];
  const path = ownerFieldsOf(owner, { kind: workload.kind, name: workload.metadata.name })?.strategy;
  if (path === undefined) return [];
  const { group, version } = resourcePaths[owner.kind];
  try {
    const { status, body } = await call({ path: `/openapi/v3/apis/${group}/${version}`, signal });
    const schema = status === 200 ? schemaOf(body, owner.kind) : undefined;
    return schema !== undefined && hasField(schema, path) ? [servedField(owner.kind, path)] : [];
  } catch {
    return [];
  }
}

/** The schema of the objects of one kind, among those of all kinds and lists of a version. */
function schemaOf(document: unknown, kind: string): JsonObject | undefined {
  const schemas = partOf(partOf(document, 'components'), 'schemas');
  return Object.values(schemas)
    .filter(isObject)
    .find((schema) => {
      const kinds = schema['x-kubernetes-group-version-kind'];
      return Array.isArray(kinds) && kinds.some((each) => isObject(each) && each.kind === kind);
    });
}

function hasField(schema: JsonObject, [field, ...below]: readonly string[]): boolean {
  if (schema['x-kubernetes-preserve-unknown-fields'] === true || field === undefined) return true;
  const properties = partOf(schema, 'properties');
  return Object.hasOwn(properties, field) && hasField(partOf(properties, field), below);
}

function partOf(value: unknown, field: string): JsonObject {
  const part = isObject(value) && Object.hasOwn(value, field) ? value[field] : undefined;
  return isObject(part) ? part : {};
}
