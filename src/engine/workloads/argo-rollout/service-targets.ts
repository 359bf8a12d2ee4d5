import { type Rollout, rolloutHashLabel } from '../../objects/argo-rollout.js';
import type { Service } from '../../objects/service.js';

/** Which revision a Service of a Rollout selects; `isManaged`: the controller has taken it over. */
export type ServiceTarget = { readonly hash: string; readonly isManaged: boolean };

const managedByAnnotation = 'argo-rollouts.argoproj.io/managed-by-rollouts';

/**
 * Which revision the Services of a Rollout select. A Service that was not read is taken to select what the
 * status says of it: the controller writes both in one reconciliation.
 *
 * @param services of the Rollout's namespace, as far as they were read
 */
export function serviceTargets(
  rollout: Rollout,
  services: readonly Service[],
): Readonly<Record<string, ServiceTarget>> {
  const targets = serviceNames(rollout).map((name): readonly [string, ServiceTarget] => {
    const service = services.find(({ metadata }) => metadata.name === name);
    if (service === undefined) return [name, { hash: hashInStatus(rollout, name), isManaged: true }];
    const hash = service.spec.selector[rolloutHashLabel] ?? '';
    return [name, { hash, isManaged: service.metadata.annotations[managedByAnnotation] !== undefined }];
  });
  return Object.fromEntries(targets);
}

function hashInStatus({ spec, status }: Rollout, name: string): string {
  const { canary, blueGreen } = spec.strategy;
  if (name === blueGreen?.activeService) return status.blueGreen.activeSelector;
  if (name === blueGreen?.previewService) return status.blueGreen.previewSelector;
  const { weights } = status.canary;
  if (name === canary?.canaryService) return weights?.canary.podTemplateHash ?? status.currentPodHash;
  return weights?.stable.podTemplateHash ?? status.stableRS;
}

/** The Services whose selectors the controller sets. */
export function serviceNames({ spec }: Rollout): readonly string[] {
  const { canary, blueGreen } = spec.strategy;
  const names = [
    canary?.canaryService,
    canary?.stableService,
    blueGreen?.activeService,
    blueGreen?.previewService,
  ];
  return names.filter((name): name is string => name !== undefined && name !== '');
}
