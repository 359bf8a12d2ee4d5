import type { Expected } from '../recorded-state.js';
import { openService, type Part, type PodOptions, type ServiceKind } from './kserve-scenes.js';
import { gpu, type Scene, settled } from './played-controllers.js';

export const proven: Expected = {
  cause: 'surge-deadlock',
  minConfidence: 'proven',
  detail: { resource: gpu },
  remediation: { first: ['patch-strategy'], never: ['undo-rollout', 'restart-rollout', 'exclude-nodes'] },
};
/** A recording has no definitions, so that it does not show whether the field for the strategy exists. */
export const provenUnserved: Expected = {
  ...proven,
  remediation: {
    first: ['scale-down-old'],
    never: ['patch-strategy', 'undo-rollout', 'restart-rollout', 'exclude-nodes'],
  },
};
const oneGpu = { [gpu]: '1' };
export const first: PodOptions = { version: 1, requests: oneGpu };
export const second: PodOptions = { version: 2, requests: oneGpu };

export const gpuNodes = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `gpu-${at + 1}`, allocatable: { [gpu]: '1' } }));

export interface Update {
  readonly kind: ServiceKind;
  readonly nodes: number;
  readonly before: object;
  /** Merged into the spec. */
  readonly after: object;
  /** Parts that are ready before the update. */
  readonly parts: readonly Part[];
  /** The state of these parts that is recorded. */
  readonly until: readonly (readonly [Part, Parameters<ReturnType<typeof openService>['until']>[1]])[];
  /** Its pods from before the update hold what is waited for. */
  readonly holding?: Part;
  readonly beforehand?: (scene: Scene) => Promise<void>;
  readonly afterwards?: (scene: Scene) => Promise<void>;
}

/** All parts serve, and the spec changes. */
export const updated =
  ({ kind, nodes, before, after, parts, until, holding, beforehand, afterwards }: Update) =>
  async (scene: Scene): Promise<readonly string[]> => {
    await scene.cluster.createNodes(...gpuNodes(nodes));
    await beforehand?.(scene);
    const service = openService(scene, kind);
    await service.create(before);
    for (const part of parts) await service.until(part, { ready: 1 });
    const pods = holding === undefined ? [] : await service.until(holding, { ready: 1 });
    await service.update(after);
    for (const [part, wanted] of until) await service.until(part, wanted);
    await afterwards?.(scene);
    await settled();
    return pods;
  };
