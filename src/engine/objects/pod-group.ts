import * as z from 'zod';
import { Condition, ObjectMeta } from './metadata.js';
import { count32, defaulted, type Immutable, list, maybe, resourceList } from './wire.js';

/**
 * Pods that a scheduler places together: of Volcano (`scheduling.volcano.sh/v1beta1`), of the plugin
 * Coscheduling (`scheduling.x-k8s.io/v1alpha1`), and of Kubernetes (`scheduling.k8s.io/v1beta1`), which alone
 * has a `schedulingPolicy`.
 */
export const PodGroup = z.object({
  kind: z.literal('PodGroup').default('PodGroup'),
  metadata: ObjectMeta,
  spec: z
    .object({
      minMember: defaulted(count32, 0),
      minResources: resourceList,
      schedulingPolicy: maybe(z.object({ gang: maybe(z.object({ minCount: count32 })) })),
      parentCompositePodGroupName: maybe(z.string()),
    })
    .nullish()
    .transform(
      (value) =>
        value ?? {
          minMember: 0,
          minResources: {},
          schedulingPolicy: undefined,
          parentCompositePodGroupName: undefined,
        },
    ),
  status: z
    .object({ phase: defaulted(z.string(), ''), conditions: list(Condition) })
    .nullish()
    .transform((value) => value ?? { phase: '', conditions: [] }),
});
export type PodGroup = Immutable<z.output<typeof PodGroup>>;

/**
 * Where pods name their group (volcano `apis/scheduling/v1beta1/labels.go`, scheduler-plugins
 * `apis/scheduling/v1alpha1/types.go`).
 */
export const groupMarks = {
  /** Annotations. */
  volcano: ['scheduling.k8s.io/group-name', 'scheduling.volcano.sh/group-name'],
  /** A label. */
  coscheduling: 'scheduling.x-k8s.io/pod-group',
} as const;
