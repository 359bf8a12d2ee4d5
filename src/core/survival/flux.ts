import { apiKindOf } from '../cluster/cluster-objects.js';
import type { FluxExclusion, HelmRelease, Kustomization } from '../cluster/gitops.js';
import type { ObjectMeta } from '../cluster/metadata.js';
import { apiGroupOf } from '../cluster/workload.js';
import { pointerSteps } from './argo-cd.js';
import type { Declaration } from './declaration.js';
import { stepsOf } from './field-path.js';
import type { Verdict } from './field-survival.js';
import type { WrittenObject } from './written-object.js';

/**
 * When kustomize-controller writes the field next: within its interval, by a forced server-side apply of what
 * it declares (fluxcd/kustomize-controller `kustomization_controller.go: apply`).
 */
export function kustomizationVerdict(
  declaration: Declaration,
  path: string,
  workload: WrittenObject,
  kustomization: Kustomization | undefined,
): Verdict {
  const { metadata } = workload;
  const group = 'kustomize.toolkit.fluxcd.io';
  if (declaration.type === 'undeclared') return { type: 'stays' };
  if (isMarked(metadata, `${group}/reconcile`, 'disabled'))
    return { type: 'stays', while: 'reconcile-disabled' };
  const apply = `${group}/ssa`;
  if (isMarked(metadata, apply, 'Ignore') || isMarked(metadata, apply, 'IfNotPresent')) {
    return { type: 'stays', while: 'not-applied' };
  }
  if (kustomization?.spec.suspend) return { type: 'stays', while: 'suspended' };
  if (declaration.type === 'unknown') return { type: 'unknown', because: declaration.because };
  const excluded = exclusionOf(kustomization?.spec.ignore ?? [], path, workload);
  return excluded ?? revertedWithin(kustomization?.spec.interval);
}

/**
 * When helm-controller writes the field next: at an upgrade of the release, or within its interval where it
 * corrects drift, which is off by default. It always forces conflicts.
 */
export function helmReleaseVerdict(
  declaration: Declaration,
  path: string,
  workload: WrittenObject,
  release: HelmRelease | undefined,
): Verdict {
  if (declaration.type === 'undeclared') return { type: 'stays' };
  if (release?.spec.suspend) return { type: 'stays', while: 'suspended' };
  if (declaration.type === 'unknown') return { type: 'unknown', because: declaration.because };
  if (release === undefined) return { type: 'unknown', because: 'owner-unread' };
  const { driftDetection, interval } = release.spec;
  const corrects =
    driftDetection?.mode === 'enabled' &&
    !isMarked(workload.metadata, 'helm.toolkit.fluxcd.io/driftDetection', 'disabled');
  if (!corrects) return { type: 'reverted-at-next', event: 'upgrade' };
  const excluded = exclusionOf(driftDetection.ignore, path, workload);
  if (excluded?.type === 'unknown') return excluded;
  // An upgrade writes what only the detection of drift leaves out.
  return excluded === undefined ? revertedWithin(interval) : { type: 'reverted-at-next', event: 'upgrade' };
}

function revertedWithin(interval: string | undefined): Verdict {
  const seconds = interval === undefined ? undefined : goDurationSeconds(interval);
  return { type: 'reverted-within', ...(seconds === undefined ? {} : { seconds }) };
}

/** Flux reads its marks from labels and annotations alike. */
function isMarked({ labels, annotations }: ObjectMeta, key: string, value: string): boolean {
  return annotations[key] === value || labels[key] === value;
}

function exclusionOf(
  exclusions: readonly FluxExclusion[],
  path: string,
  { kind, metadata }: WrittenObject,
): Verdict | undefined {
  const steps = stepsOf(path);
  let isUncertain = false;
  for (const { paths, target } of exclusions) {
    const covers = paths.some((pointer) => pointerSteps(pointer).every((step, at) => steps[at] === step));
    if (!covers) continue;
    if (target === undefined) return { type: 'stays', while: 'drift-ignored' };
    const wanted = [target.group, target.version, target.kind, target.name, target.namespace];
    const own = [...apiGroupOf(kind), apiKindOf(kind), metadata.name, metadata.namespace];
    const selects = target.labelSelector !== '' || target.annotationSelector !== '';
    const isSame = wanted.every((each, at) => each === '' || each === own[at]);
    if (isSame && !selects) return { type: 'stays', while: 'drift-ignored' };
    // Targets are regular expressions and selectors: only plain names are compared here.
    isUncertain ||= isSame || wanted.some((each) => !/^[\w-]*$/u.test(each));
  }
  return isUncertain ? { type: 'unknown', because: 'ignore-rule' } : undefined;
}

const unitSeconds: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001 };

/** A duration as Go writes it (`10m0s`, `1h30m`); `undefined` for anything else. */
function goDurationSeconds(text: string): number | undefined {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:h|ms|m|s)){1,4}$/u.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d{1,9}(?:\.\d{1,9})?)(h|ms|m|s)/gu)];
  return Math.round(
    parts.reduce((sum, [, count = '0', unit = '']) => sum + Number(count) * (unitSeconds[unit] ?? 0), 0),
  );
}
