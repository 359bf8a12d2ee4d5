import { z } from 'zod';
import type { CauseId } from '#src/doctor/findings/cause-id.js';
import { podSimulatorOf } from '#src/doctor/findings/pod-simulator-of.js';
import type { AnyRule, Examination } from '#src/doctor/findings/rule.js';
import type { NotRecommended, Remediation } from '#src/doctor/fixes/remediation.js';
import { isActive, isReady } from '#src/engine/objects/pod.js';
import { type RolloutState, rolloutStateOf } from '#src/engine/workloads/rollout-state.js';
import type { ApiObject } from '../../demo/cluster/api-object.js';
import type { JsonObject } from '../../demo/cluster/json.js';
import type { KubeletOptions } from '../../demo/cluster/loops/kubelet-adoption.js';
import { readyNode } from '../../demo/cluster/seed/nodes.js';
import { buildDetected, ruleText } from './diagnosis.js';
import type { Rig } from './remediation-rig.js';

export const badNode = 'n-bad';

/** Containers crash on the bad node five seconds after their start while it is broken, and nowhere else. */
export function crashesOnBadNode(isBroken = () => true): KubeletOptions {
  return {
    behaviourOf: (_pod, node) =>
      node?.metadata.name === badNode && isBroken()
        ? { readyMs: undefined, crash: { afterMs: 5_000, exitCode: 139, reason: 'Error' } }
        : undefined,
  };
}

export function addNodes({ local }: Rig, names: readonly string[], cpu = '4'): void {
  local.load(
    names.map((name, number) =>
      readyNode({ name, number: number + 1, cpu, memory: '16Gi' }, local.clock.now() - 86_400_000),
    ),
  );
}

export function workloadObject(
  kind: 'Deployment' | 'StatefulSet',
  spec: JsonObject,
  template: JsonObject = {},
) {
  const labels = { app: 'api' };
  const containers = [
    { name: 'app', image: 'registry.example/api:1', resources: { limits: { cpu: '1', memory: '1Gi' } } },
  ];
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'api', namespace: 'shop' },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers, ...template } },
      ...(kind === 'StatefulSet' ? { serviceName: 'api' } : {}),
      ...spec,
    },
  };
}

export interface Seen {
  readonly name: string;
  readonly node: string;
  readonly ready: boolean;
  readonly image: string;
}

/** Pods of `shop/api` that are not leaving, by name. */
export function podsOf({ local }: Rig, namespace = 'shop'): readonly Seen[] {
  return local
    .list('v1', 'Pod', namespace)
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(seen);
}

interface PodJson {
  readonly spec: { readonly nodeName?: string; readonly containers: readonly { readonly image: string }[] };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

function seen(pod: ApiObject): Seen {
  const { spec, status } = pod as unknown as PodJson;
  const ready = status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') ?? false;
  return {
    name: pod.metadata.name,
    node: spec.nodeName ?? '',
    ready,
    image: spec.containers[0]?.image ?? '',
  };
}

/** A rule that recommends one kind while `found` is true. */
export function offering(
  cause: CauseId,
  found: (examination: Examination) => boolean,
  offer: (
    input: Examination & {
      readonly state: RolloutState;
      readonly simulator: ReturnType<typeof podSimulatorOf>;
    },
  ) => { readonly remediations: readonly Remediation[]; readonly withheld: readonly NotRecommended[] },
): AnyRule {
  return {
    id: cause,
    facts: z.strictObject({}),
    text: ruleText,
    origin: 'template',
    appliesTo: ['Deployment', 'StatefulSet', 'DaemonSet'],
    needs: [],
    supersedes: [],
    detect(examination) {
      if (!found(examination)) return undefined;
      const { snapshot } = examination;
      const state = rolloutStateOf(snapshot);
      const { remediations, withheld } = offer({
        ...examination,
        state,
        simulator: podSimulatorOf(examination),
      });
      return buildDetected({ cause, remediations: [...remediations], withheld: [...withheld] });
    },
  };
}

/** Some pod of the workload is not ready. */
export function somePodIsNotReady({ snapshot }: Examination): boolean {
  return rolloutStateOf(snapshot).pods.some((pod) => isActive(pod) && !isReady(pod));
}
