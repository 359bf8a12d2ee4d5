import { type Rollout, rolloutHashLabel } from '../../objects/argo-rollout.js';
import { PodTemplate } from '../../objects/pod-spec.js';
import { isObject, type JsonObject } from '../../objects/wire.js';
import type { ReplicaSet } from '../../objects/workload.js';
import { byCreation } from '../creation-order.js';
import { sameTemplate } from '../template-equality.js';

/** The ReplicaSets of a Rollout by what they are for. */
export interface ReplicaSetRoles {
  /** Of the template; `undefined` until the controller has made it. */
  readonly newReplicaSet: ReplicaSet | undefined;
  /** The one that `status.stableRS` names; the new one where both are the same. */
  readonly stableReplicaSet: ReplicaSet | undefined;
  /** Neither, oldest first. */
  readonly others: readonly ReplicaSet[];
}

const ephemeralMetadataAnnotation = 'rollout.argoproj.io/ephemeral-metadata';

/** The hash by which a Rollout names a ReplicaSet; '' where the label is missing. */
export function hashOf(replicaSet: ReplicaSet | undefined): string {
  return replicaSet?.metadata.labels[rolloutHashLabel] ?? '';
}

/** The controller has seen this spec, and the template that it refers to. */
export function isObserved({ metadata, spec, status }: Rollout): boolean {
  if (status.observedGeneration !== String(metadata.generation ?? 0)) return false;
  if (spec.workloadRef === undefined) return true;
  const generation = metadata.annotations['rollout.argoproj.io/workload-generation'] ?? '';
  return status.workloadObservedGeneration === generation;
}

/**
 * Which ReplicaSet is new and which is stable (`utils/replicaset/replicaset.go: FindNewReplicaSet`,
 * `canary.go: GetStableRS, GetOtherRSs`). The controller finds the new one by a hash over its own encoding of
 * the template. Here the templates are compared. Of several that are alike, and where none is, the one that
 * the status names is taken, because an observed status names that hash. A paused Rollout that was scaled
 * names the former one.
 */
export function rolesOf(rollout: Rollout, replicaSets: readonly ReplicaSet[]): ReplicaSetRoles {
  const oldestFirst = [...replicaSets].sort(byCreation);
  const { currentPodHash, stableRS } = rollout.status;
  const declared = withoutHash(rollout);
  const isOfTemplate = (replicaSet: ReplicaSet | undefined): boolean =>
    replicaSet !== undefined && sameTemplate(declaredTemplate(replicaSet), declared);
  const recorded =
    isObserved(rollout) && currentPodHash !== ''
      ? oldestFirst.find((replicaSet) => hashOf(replicaSet) === currentPodHash)
      : undefined;
  const newReplicaSet = isOfTemplate(recorded) ? recorded : (oldestFirst.find(isOfTemplate) ?? recorded);
  const stableReplicaSet =
    stableRS === '' ? undefined : oldestFirst.find((replicaSet) => hashOf(replicaSet) === stableRS);
  const others = oldestFirst.filter((each) => each !== newReplicaSet && each !== stableReplicaSet);
  return { newReplicaSet, stableReplicaSet, others };
}

/** A stable ReplicaSet beside the new one (`CheckStableRSExists`). */
export function hasOwnStable({ newReplicaSet, stableReplicaSet }: ReplicaSetRoles): boolean {
  return stableReplicaSet !== undefined && stableReplicaSet !== newReplicaSet;
}

type Declared = { readonly injected: string; readonly template: PodTemplate };

/** By template: in a simulation, many versions of a ReplicaSet share one. */
const declaredTemplates = new WeakMap<PodTemplate, Declared>();

/**
 * The template as the Rollout declared it: without the hash, the metadata of canary or stable pods, and the
 * anti-affinity between revisions, which the controller adds (`SyncReplicaSetEphemeralPodMetadata`,
 * `RemoveInjectedAntiAffinityRule`).
 */
export function declaredTemplate(replicaSet: ReplicaSet): PodTemplate {
  const text = replicaSet.metadata.annotations[ephemeralMetadataAnnotation] ?? '';
  const known = declaredTemplates.get(replicaSet.spec.template);
  if (known?.injected === text) return known.template;
  const { raw } = replicaSet.spec.template;
  const injected = injectedMetadata(text);
  const metadata = objectOf(raw.metadata);
  const annotations = objectOf(injected.annotations);
  const declared = PodTemplate.parse({
    ...raw,
    metadata: {
      ...metadata,
      labels: without(objectOf(metadata.labels), { [rolloutHashLabel]: '', ...objectOf(injected.labels) }),
      // What the controller has not touched stays as it came, with what is absent.
      ...(Object.keys(annotations).length === 0
        ? {}
        : { annotations: without(objectOf(metadata.annotations), annotations) }),
    },
    spec: withoutAntiAffinity(objectOf(raw.spec)),
  });
  declaredTemplates.set(replicaSet.spec.template, { injected: text, template: declared });
  return declared;
}

const declaredByRollouts = new WeakMap<PodTemplate, PodTemplate>();

function withoutHash({ spec: { template } }: Rollout): PodTemplate {
  const known = declaredByRollouts.get(template);
  if (known !== undefined) return known;
  const metadata = objectOf(template.raw.metadata);
  const labels = without(objectOf(metadata.labels), { [rolloutHashLabel]: '' });
  const declared = PodTemplate.parse({ ...template.raw, metadata: { ...metadata, labels } });
  declaredByRollouts.set(template, declared);
  return declared;
}

function injectedMetadata(text: string): JsonObject {
  if (text === '') return {};
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

/**
 * Terms that select pods by the hash of a Rollout are the controller's own
 * (`CreateInjectedAntiAffinityRule`).
 */
function withoutAntiAffinity(spec: JsonObject): JsonObject {
  const affinity = objectOf(spec.affinity);
  const anti = objectOf(affinity.podAntiAffinity);
  const required = declaredTerms(anti.requiredDuringSchedulingIgnoredDuringExecution);
  const preferred = declaredTerms(anti.preferredDuringSchedulingIgnoredDuringExecution);
  if (required === undefined && preferred === undefined) return spec;
  const left = {
    ...anti,
    ...(required === undefined ? {} : { requiredDuringSchedulingIgnoredDuringExecution: required }),
    ...(preferred === undefined ? {} : { preferredDuringSchedulingIgnoredDuringExecution: preferred }),
  };
  const isGone = Object.values(left).every((terms) => Array.isArray(terms) && terms.length === 0);
  const { podAntiAffinity: _anti, ...others } = affinity;
  if (!isGone) return { ...spec, affinity: { ...affinity, podAntiAffinity: left } };
  const { affinity: _affinity, ...rest } = spec;
  return Object.keys(others).length === 0 ? rest : { ...rest, affinity: others };
}

/** `undefined` where no term is the controller's. */
function declaredTerms(terms: unknown): readonly unknown[] | undefined {
  if (!Array.isArray(terms)) return undefined;
  const declared = terms.filter((term: unknown) => !JSON.stringify(term).includes(`"${rolloutHashLabel}"`));
  return declared.length === terms.length ? undefined : declared;
}

function without(object: JsonObject, names: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !Object.hasOwn(names, name)));
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
