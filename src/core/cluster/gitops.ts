import { z } from 'zod';
import { ObjectMeta } from './metadata.js';
import { defaulted, type Immutable, list, maybe } from './wire.js';

/**
 * Sources of an Application and values of a HelmRelease may hold secrets. These schemas keep only what decides when the
 * tool writes next; everything else is dropped while the answer is parsed.
 */

/** Annotations that decide whether the tool writes at all; `kubectl apply` keeps a copy of the whole spec in another. */
const keptAnnotations = ['argocd.argoproj.io/skip-reconcile'];

const ToolMeta = ObjectMeta.transform(({ annotations, managedFields: _dropped, ...metadata }) => ({
  ...metadata,
  annotations: Object.fromEntries(
    keptAnnotations.flatMap((key) =>
      Object.hasOwn(annotations, key) ? [[key, annotations[key] ?? '']] : [],
    ),
  ),
}));

const Ignored = z.object({
  group: defaulted(z.string(), ''),
  kind: defaulted(z.string(), ''),
  name: defaulted(z.string(), ''),
  namespace: defaulted(z.string(), ''),
  jsonPointers: list(z.string()),
  jqPathExpressions: list(z.string()),
  managedFieldsManagers: list(z.string()),
});
export type IgnoredDifference = Immutable<z.output<typeof Ignored>>;

/** Argo CD, `argoproj.io/v1alpha1`. */
export const Application = z.object({
  kind: z.literal('Application').default('Application'),
  metadata: ToolMeta,
  spec: z.object({
    syncPolicy: maybe(
      z.object({
        automated: maybe(z.object({ enabled: maybe(z.boolean()), selfHeal: defaulted(z.boolean(), false) })),
        syncOptions: list(z.string()),
      }),
    ),
    ignoreDifferences: list(Ignored),
  }),
});
export type Application = Immutable<z.output<typeof Application>>;

const Target = z.object({
  group: defaulted(z.string(), ''),
  version: defaulted(z.string(), ''),
  kind: defaulted(z.string(), ''),
  name: defaulted(z.string(), ''),
  namespace: defaulted(z.string(), ''),
  labelSelector: defaulted(z.string(), ''),
  annotationSelector: defaulted(z.string(), ''),
});

const Exclusion = z.object({ paths: list(z.string()), target: maybe(Target) });
export type FluxExclusion = Immutable<z.output<typeof Exclusion>>;

/** Flux, `kustomize.toolkit.fluxcd.io/v1`. */
export const Kustomization = z.object({
  kind: z.literal('Kustomization').default('Kustomization'),
  metadata: ToolMeta,
  spec: z.object({
    interval: defaulted(z.string(), ''),
    suspend: defaulted(z.boolean(), false),
    ignore: list(Exclusion),
  }),
});
export type Kustomization = Immutable<z.output<typeof Kustomization>>;

/** Flux, `helm.toolkit.fluxcd.io/v2`. */
export const HelmRelease = z.object({
  kind: z.literal('HelmRelease').default('HelmRelease'),
  metadata: ToolMeta,
  spec: z.object({
    interval: defaulted(z.string(), ''),
    suspend: defaulted(z.boolean(), false),
    driftDetection: maybe(z.object({ mode: defaulted(z.string(), 'disabled'), ignore: list(Exclusion) })),
  }),
});
export type HelmRelease = Immutable<z.output<typeof HelmRelease>>;
