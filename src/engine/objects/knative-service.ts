import * as z from 'zod';
import { LabelSelector } from './label-selector.js';
import { Condition, controllerOf, ObjectMeta } from './metadata.js';
import { PodTemplate } from './pod-spec.js';
import type { RevisionPart, Revisions } from './revisions.js';
import { count64, defaulted, type Immutable, list, maybe } from './wire.js';

export const knativeGroup = 'serving.knative.dev';

/**
 * Labels that Knative puts on Deployments, ReplicaSets and pods (knative serving
 * `pkg/apis/serving/register.go`).
 */
export const knativeLabels = {
  service: 'serving.knative.dev/service',
  revision: 'serving.knative.dev/revision',
} as const;

/**
 * Annotations of a Revision. Its Deployment and pods lack them (knative serving
 * `revision/resources/meta.go`), but those that other programs made have them.
 */
const scaleAnnotations = {
  min: ['autoscaling.knative.dev/min-scale', 'autoscaling.knative.dev/minScale'],
  initial: ['autoscaling.knative.dev/initial-scale', 'autoscaling.knative.dev/initialScale'],
} as const;
const deadlineAnnotations = ['serving.knative.dev/progress-deadline'] as const;

const Target = z.object({
  revisionName: defaulted(z.string(), ''),
  latestRevision: maybe(z.boolean()),
  percent: maybe(z.number()),
  tag: defaulted(z.string(), ''),
});

const Status = z.object({
  observedGeneration: defaulted(count64, 0),
  latestCreatedRevisionName: defaulted(z.string(), ''),
  latestReadyRevisionName: defaulted(z.string(), ''),
  traffic: list(Target),
  conditions: list(Condition),
});

/**
 * `serving.knative.dev/v1` Service. Its kind in the API is `Service`, which is also that of another object.
 */
export const KnativeService = z
  .object({
    kind: z
      .enum(['Service', 'KnativeService'])
      .nullish()
      .transform(() => 'KnativeService' as const),
    metadata: ObjectMeta,
    spec: z.object({ template: PodTemplate, traffic: list(Target) }),
    status: Status.nullish().transform((value) => value ?? Status.parse({})),
  })
  .transform((parsed) => {
    const { template } = parsed.spec;
    const minScale = minScaleOf(template);
    const initialScale = scaleIn(template, scaleAnnotations.initial) ?? 1;
    const replicas = Math.max(minScale, initialScale);
    return {
      ...parsed,
      revisions: revisionsOf(parsed.status, parsed.spec.traffic),
      parts: [{ name: 'user', count: replicas, template }] satisfies readonly RevisionPart[],
      spec: {
        ...parsed.spec,
        /** Pods that a new revision has to start. */
        replicas,
        /** The API has no such field: every pod has the label with its name. */
        selector: LabelSelector.parse({ matchLabels: { [knativeLabels.service]: parsed.metadata.name } }),
        /** The kind has no such field. */
        minReadySeconds: 0,
      },
    };
  });
/** See `KindOfWorkload`. */
export const knativeServiceKind = {
  apiVersion: `${knativeGroup}/v1`,
  plural: 'services',
  names: ['knativeservices', 'knativeservice', 'kservice', 'ksvc'],
  alertLabels: ['knative_service', 'serving_knative_dev_service'],
  partsBelongTo: 'Revision',
  nameIn: knativeServiceOf,
  partsRead: [
    { kind: 'ReplicaSet', isAlways: true },
    { kind: 'Deployment', isAlways: true },
    { kind: 'Revision', isAlways: true },
  ],
  podSuffix: /^[a-z0-9-]+-deployment-[a-z0-9]+-[a-z0-9]{5}$/,
  replaces: 'revisions',
  strategy: 'none',
  templatePaths: ['spec.template'],
} as const;

export type KnativeService = Immutable<z.output<typeof KnativeService>>;

const RevisionStatus = z.object({ conditions: defaulted(z.array(Condition), []) });

/** `serving.knative.dev/v1` Revision: what its autoscaler keeps stands here, and why it was not started. */
export const Revision = z.object({
  kind: z.literal('Revision').default('Revision'),
  metadata: ObjectMeta,
  status: defaulted(RevisionStatus, { conditions: [] }),
});
export type Revision = Immutable<z.output<typeof Revision>>;

type Annotated = { readonly metadata: { readonly annotations: Readonly<Record<string, string>> } };

/** Pods that the autoscaler leaves to a revision that traffic may reach. */
export function minScaleOf(revision: Annotated): number {
  return scaleIn(revision, scaleAnnotations.min) ?? 0;
}

/**
 * Seconds after which Knative gives a new revision up; `undefined` where the default of the cluster counts.
 */
export function progressDeadlineOf({ metadata }: Annotated): number | undefined {
  for (const name of deadlineAnnotations) {
    const [text = '', hours = 0, minutes = 0, seconds = 0] =
      /^(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?$/u.exec(metadata.annotations[name] ?? '') ?? [];
    if (text !== '') return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  }
  return undefined;
}

function scaleIn({ metadata }: Annotated, names: readonly string[]): number | undefined {
  const text = names.map((name) => metadata.annotations[name]).find((value) => value !== undefined) ?? '';
  return /^\d{1,6}$/u.test(text) ? Number(text) : undefined;
}

/**
 * The Route moves only the targets that follow the latest revision. A revision that a target names stays, as
 * one that has a tag does. The status has the targets as they are; without any, everything follows the latest
 * one.
 */
function revisionsOf(
  status: Immutable<z.output<typeof Status>>,
  wanted: readonly Immutable<z.output<typeof Target>>[],
): Revisions {
  const { latestCreatedRevisionName: created, latestReadyRevisionName: ready, traffic } = status;
  const next = created !== '' && created !== ready ? created : undefined;
  const followsLatest =
    wanted.length === 0 ||
    wanted.some(({ revisionName, latestRevision }) => latestRevision ?? revisionName === '');
  const named = [...traffic.filter(({ latestRevision }) => latestRevision !== true), ...wanted]
    .map(({ revisionName }) => revisionName)
    .filter((name) => name !== '');
  const kept = [...new Set(followsLatest && next !== undefined ? named : [...named, ready])];
  const followers = traffic.flatMap(({ latestRevision, revisionName }) =>
    latestRevision === true ? [revisionName] : [],
  );
  const former = next === undefined || !followsLatest ? [] : [...new Set([...followers, ready])];
  const isPart = (name: string) => name !== '' && name !== next;
  return {
    label: knativeLabels.revision,
    next,
    former: former.filter((name) => isPart(name) && !kept.includes(name)),
    kept: kept.filter(isPart),
    isSwitching: false,
  };
}

/** The revisions once the controller has made one for this spec. */
export function nextKnativeRevisions(
  { status }: KnativeService,
  { spec }: KnativeService,
  next: string,
): Revisions {
  return revisionsOf({ ...status, latestCreatedRevisionName: next }, spec.traffic);
}

/** Its controller is a Revision. Labels alone do not show that: anybody may set them. */
export function isOfKnativeRevision(object: Parameters<typeof controllerOf>[0]): boolean {
  return controllerOf(object)?.kind === knativeServiceKind.partsBelongTo;
}

/** The name of the Knative Service that an object is part of, by the label that its controllers set. */
export function knativeServiceOf({
  metadata,
}: {
  metadata: Pick<Immutable<ObjectMeta>, 'labels'>;
}): string | undefined {
  const { [knativeLabels.service]: service, [knativeLabels.revision]: revision } = metadata.labels;
  return revision === undefined ? undefined : service;
}
