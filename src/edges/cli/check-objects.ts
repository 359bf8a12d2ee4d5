import * as z from 'zod';
import { isNamespaceName } from '../../doctor/commands/command.js';
import { parseWorkload } from '../../doctor/commands/parse-workload.js';
import { type Companions, checkManifests, liveWorkload } from '../../doctor/forecasts/check-manifests.js';
import { deploymentsOf } from '../../doctor/forecasts/planned-below.js';
import { type Manifest, plannedWorkload } from '../../doctor/forecasts/planned-workload.js';
import type { ClusterIndex } from '../../engine/objects/cluster-index.js';
import { type ObjectOf, schemas } from '../../engine/objects/cluster-objects.js';
import { isKserveKind, kserveKinds } from '../../engine/objects/inference-service.js';
import type { Pod } from '../../engine/objects/pod.js';
import { workloadKinds } from '../../engine/objects/workload.js';
import { workloadsBelow } from '../../engine/parents/parent-resource.js';
import { podFromTemplate } from '../../engine/scheduler/pod-from-template.js';
import { createEngine } from '../../service/create-engine.js';
import type { Needs, Scope } from '../../service/diagnose/cluster-reader.js';
import { isOfKnownGroup } from '../recordings/api-groups.js';
import { type ManifestObject, readManifests } from '../recordings/read-manifests.js';
import { RecordingError } from '../recordings/recording-error.js';
import type { CheckedManifest } from '../terminal/check-report.js';
import { computeWithin } from './compute-within.js';
import { type CommandFailure, exitStatus, failure } from './exit-status.js';
import { fileUnusable, type Source, wholeScope } from './sources.js';
import { inputBytes, type Streams } from './streams.js';

/** The answers for the workloads among some manifests. */
interface CheckedManifests {
  readonly checked: readonly CheckedManifest[];
  /** RFC3339; absent where no manifest is a workload. */
  readonly takenAt: string | undefined;
  readonly cluster: string;
}

/** What a check reads. Pods that do not exist have no log. */
function checkNeeds(): Needs {
  return new Set([...createEngine().needs].filter((need) => need !== 'PodLog'));
}

/**
 * Checks each workload among the manifests against a cluster or a recording.
 *
 * @param namespace of manifests that name none
 * @throws CommandFailure
 */
export async function checkObjects(
  given: readonly ManifestObject[],
  { namespace: option, against }: { namespace?: string | undefined; against: Source },
): Promise<CheckedManifests> {
  if (option !== undefined && !isNamespaceName(option)) {
    throw failure(exitStatus.usage, 'namespace-invalid', { name: option });
  }
  const { withhold } = against;
  const objects =
    withhold === undefined ? given : given.map((each) => ({ ...each, raw: withhold(each.raw) }));
  const placed = await inNamespaces(objects, option, against);
  const needs = checkNeeds();
  const checked: CheckedManifest[] = [];
  let takenAt: string | undefined;
  for (const [namespace, group] of placed) {
    const workloads = group.filter(isWorkload);
    if (workloads.length === 0) continue;
    const planned = workloads.flatMap((object) => plannedPods(object, namespace));
    const scope = await wholeScope(against, { namespace, planned }, needs);
    takenAt ??= scope.takenAt;
    const cluster = { ...scope, cluster: against.cluster };
    const companions = companionsIn(objects, namespace);
    checked.push(...workloads.flatMap((object) => checkedIn(cluster, object, namespace, companions)));
  }
  return { checked, takenAt, cluster: against.cluster };
}

/** The objects of manifests as they are named on the command line. @throws CommandFailure */
export async function manifestObjects(
  paths: readonly string[],
  input: Streams['input'],
): Promise<readonly ManifestObject[]> {
  if (paths.length === 0) throw failure(exitStatus.usage, 'manifests-missing');
  const readInput = async (maxBytes: number): Promise<Uint8Array> =>
    input === undefined ? new Uint8Array() : inputBytes(input.bytes, maxBytes);
  const objects = await readManifests(paths, readInput).catch((error: unknown) => {
    if (!(error instanceof RecordingError)) throw error;
    throw isWorkloadInPlaceOfFile(error)
      ? failure(exitStatus.usage, 'manifest-is-workload', { name: error.file })
      : fileUnusable(error);
  });
  if (objects.length === 0) throw failure(exitStatus.unseen, 'no-objects', { paths });
  const nameless = objects.find((object) => isWorkload(object) && object.name === '');
  if (nameless !== undefined) throw manifestWithoutName(nameless);
  return objects;
}

/** `check ml/inference`: a name with its namespace, or its kind, and no file. */
function isWorkloadInPlaceOfFile({ file, fault }: RecordingError): boolean {
  if (fault.key !== 'no-such-file' || !/^[^/.]{1,253}(?:\/[^/.]{1,253}){1,2}$/u.test(file)) return false;
  return !('type' in parseWorkload({ words: [file], allNamespaces: false }));
}

function manifestWithoutName({ line, kind, raw, ...object }: ManifestObject): CommandFailure {
  const { metadata } = raw;
  const name = isObject(metadata) ? metadata.name : undefined;
  // `{{ .Values.name }}` without quotes is read as a map within a map.
  const isTemplate = isObject(name);
  const file = fileOf(object);
  return failure(exitStatus.unseen, 'manifest-without-name', { file, line, kind, isTemplate });
}

/** Absent for standard input. */
function fileOf({ file }: Pick<ManifestObject, 'file'>): string | undefined {
  return file === '-' ? undefined : file;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isWorkload({ apiVersion, kind }: ManifestObject): boolean {
  return [...workloadKinds, ...kserveKinds].some((each) => each === kind && isOfKnownGroup(each, apiVersion));
}

/** Objects by the namespace they go to; a workload that comes twice counts as it comes last. */
async function inNamespaces(
  objects: readonly ManifestObject[],
  option: string | undefined,
  against: Source,
): Promise<ReadonlyMap<string, readonly ManifestObject[]>> {
  const index =
    against.type === 'recording'
      ? (await wholeScope(against, { namespace: '' }, new Set())).index
      : undefined;
  const latest = new Map<string, { readonly namespace: string; readonly object: ManifestObject }>();
  for (const object of objects.filter(isWorkload)) {
    const namespace = object.namespace ?? option ?? onlyNamespaceOf(object, index) ?? 'default';
    latest.set(`${object.kind}/${namespace}/${object.name}`, { namespace, object });
  }
  const groups = new Map<string, ManifestObject[]>();
  for (const { namespace, object } of latest.values()) {
    groups.set(namespace, [...(groups.get(namespace) ?? []), object]);
  }
  return groups;
}

/** A recording seldom has the kubeconfig's namespace; the only workload of that name is the one meant. */
function onlyNamespaceOf(
  { kind, name }: ManifestObject,
  index: ClusterIndex | undefined,
): string | undefined {
  if (index !== undefined && isKserveKind(kind)) {
    const [only, ...others] = workloadsBelow(index.objects, { kind, name });
    return others.length === 0 ? only?.metadata.namespace : undefined;
  }
  const known = workloadKinds.find((each) => each === kind);
  if (index === undefined || known === undefined) return undefined;
  if (liveWorkload(index, { kind: known, namespace: 'default', name }) !== undefined) return 'default';
  const [only, ...others] = index.objects[known].filter(({ metadata }) => metadata.name === name);
  return others.length === 0 ? only?.metadata.namespace : undefined;
}

function checkedIn(
  { index, unseen, cluster, takenAt }: Scope & Pick<Source, 'cluster'>,
  object: ManifestObject,
  namespace: string,
  companions: Companions,
): readonly CheckedManifest[] {
  return manifestsOf(object, namespace, index).map((manifest) => {
    const [check] = parsedAt(object, () =>
      computeWithin(`${namespace}/${manifest.name}`, () =>
        checkManifests({
          index,
          unseen,
          cluster,
          now: Date.parse(takenAt),
          manifests: [manifest],
          companions,
        }),
      ),
    );
    if (check === undefined) throw new Error('a manifest was not answered');
    return { file: object.file, line: object.line, check };
  });
}

/** The workloads that the object is, or that its controller makes of it. */
function manifestsOf(
  { kind, name, raw }: ManifestObject,
  namespace: string,
  index: ClusterIndex | undefined,
): readonly Manifest[] {
  if (isKserveKind(kind)) return deploymentsOf({ kind, namespace, name, raw }, index);
  const known = workloadKinds.find((each) => each === kind) ?? 'Deployment';
  return [{ kind: known, namespace, name, raw }];
}

/** Pods of the new templates, to find the nodes they could use. */
function plannedPods(object: ManifestObject, namespace: string): readonly Pod[] {
  return manifestsOf(object, namespace, undefined).map((manifest) => {
    const planned = parsedAt(object, () => plannedWorkload(manifest, undefined));
    return podFromTemplate(planned.spec.template, { namespace, name: `${manifest.name}-planned` });
  });
}

function companionsIn(objects: readonly ManifestObject[], namespace: string): Companions {
  const all = <Kind extends keyof Companions>(kind: Kind): readonly ObjectOf<Kind>[] =>
    objects
      .filter(
        (object) =>
          object.kind === kind &&
          isOfKnownGroup(kind, object.apiVersion) &&
          (object.namespace ?? namespace) === namespace,
      )
      .map((object) =>
        parsedAt(object, () => {
          const parsed = schemas[kind].parse(object.raw) as ObjectOf<Kind>;
          const metadata = { ...parsed.metadata, namespace: kind === 'PriorityClass' ? '' : namespace };
          return { ...parsed, metadata };
        }),
      );
  return {
    ResourceQuota: all('ResourceQuota'),
    LimitRange: all('LimitRange'),
    PriorityClass: all('PriorityClass'),
    PersistentVolumeClaim: all('PersistentVolumeClaim'),
  };
}

/** Parses a manifest. A parse error becomes a failure that names the place. */
function parsedAt<Result>({ line, kind, name, ...object }: ManifestObject, parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const [issue] = error.issues;
    const field = issue?.path.join('.') ?? '';
    const problem = issue?.message ?? '';
    const values = { file: fileOf(object), line, kind, name, field, problem };
    throw failure(exitStatus.unseen, 'manifest-invalid', values);
  }
}
