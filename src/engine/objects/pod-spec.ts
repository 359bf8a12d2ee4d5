import * as z from 'zod';
import { LabelSelector } from './label-selector.js';
import { ObjectMeta } from './metadata.js';
import {
  count32,
  count64,
  defaulted,
  type Immutable,
  intOrString,
  list,
  maybe,
  quantity,
  resourceList,
  stringMap,
} from './wire.js';

const KeySelector = z.object({
  name: defaulted(z.string(), ''),
  key: z.string(),
  optional: defaulted(z.boolean(), false),
});

export const EnvVar = z.object({
  name: z.string(),
  value: maybe(z.union([z.string(), z.number(), z.boolean()]).transform((value) => String(value))),
  valueFrom: maybe(
    z.object({
      configMapKeyRef: maybe(KeySelector),
      secretKeyRef: maybe(KeySelector),
      fieldRef: maybe(z.object({ fieldPath: z.string() })),
      resourceFieldRef: maybe(z.object({ resource: z.string() })),
    }),
  ),
});

const EnvFromSource = z.object({
  prefix: maybe(z.string()),
  configMapRef: maybe(z.object({ name: defaulted(z.string(), ''), optional: defaulted(z.boolean(), false) })),
  secretRef: maybe(z.object({ name: defaulted(z.string(), ''), optional: defaulted(z.boolean(), false) })),
});

/** Defaults: `pkg/apis/core/v1/defaults.go: SetDefaults_Probe`. */
export const Probe = z.object({
  httpGet: maybe(
    z.object({
      path: defaulted(z.string(), '/'),
      port: intOrString,
      scheme: defaulted(z.string(), 'HTTP'),
      host: maybe(z.string()),
    }),
  ),
  tcpSocket: maybe(z.object({ port: intOrString, host: maybe(z.string()) })),
  exec: maybe(z.object({ command: list(z.string()) })),
  grpc: maybe(z.object({ port: z.number(), service: maybe(z.string()) })),
  initialDelaySeconds: defaulted(count32, 0),
  periodSeconds: defaulted(count32, 10),
  timeoutSeconds: defaulted(count32, 1),
  successThreshold: defaulted(count32, 1),
  failureThreshold: defaulted(count32, 3),
  terminationGracePeriodSeconds: maybe(count64),
});
export type Probe = Immutable<z.output<typeof Probe>>;

const LifecycleHandler = z.object({
  exec: maybe(z.object({ command: list(z.string()) })),
  httpGet: maybe(z.object({ path: defaulted(z.string(), '/'), port: intOrString })),
  sleep: maybe(z.object({ seconds: z.number() })),
});

export const ContainerPort = z.object({
  name: maybe(z.string()),
  containerPort: count32,
  hostPort: defaulted(count32, 0),
  hostIP: defaulted(z.string(), ''),
  protocol: defaulted(z.string(), 'TCP'),
});
export type ContainerPort = Immutable<z.output<typeof ContainerPort>>;

export const ResourceRequirements = z.object({
  requests: resourceList,
  limits: resourceList,
  claims: list(z.object({ name: z.string(), request: maybe(z.string()) })),
});
export type ResourceRequirements = Immutable<z.output<typeof ResourceRequirements>>;

const noResources: z.output<typeof ResourceRequirements> = { requests: {}, limits: {}, claims: [] };

export const Container = z.object({
  name: defaulted(z.string(), ''),
  image: defaulted(z.string(), ''),
  imagePullPolicy: maybe(z.string()),
  command: list(z.string()),
  args: list(z.string()),
  workingDir: maybe(z.string()),
  env: list(EnvVar),
  envFrom: list(EnvFromSource),
  ports: list(ContainerPort),
  resources: defaulted(ResourceRequirements, noResources),
  livenessProbe: maybe(Probe),
  readinessProbe: maybe(Probe),
  startupProbe: maybe(Probe),
  lifecycle: maybe(z.object({ preStop: maybe(LifecycleHandler), postStart: maybe(LifecycleHandler) })),
  /** On an init container `Always` makes it a sidecar. */
  restartPolicy: maybe(z.string()),
  restartPolicyRules: list(
    z.object({
      action: z.string(),
      exitCodes: maybe(z.object({ operator: z.string(), values: list(z.int32()) })),
    }),
  ),
  volumeMounts: list(
    z.object({
      name: z.string(),
      mountPath: defaulted(z.string(), ''),
      readOnly: defaulted(z.boolean(), false),
      subPath: defaulted(z.string(), ''),
      subPathExpr: defaulted(z.string(), ''),
    }),
  ),
  volumeDevices: list(z.object({ name: z.string(), devicePath: defaulted(z.string(), '') })),
});
export type Container = Immutable<z.output<typeof Container>>;

export const NodeSelectorRequirement = z.object({
  key: z.string(),
  operator: z.string(),
  values: list(z.string()),
});
export type NodeSelectorRequirement = Immutable<z.output<typeof NodeSelectorRequirement>>;

export const NodeSelectorTerm = z.object({
  matchExpressions: list(NodeSelectorRequirement),
  matchFields: list(NodeSelectorRequirement),
});
export type NodeSelectorTerm = Immutable<z.output<typeof NodeSelectorTerm>>;

export const NodeSelector = z.object({ nodeSelectorTerms: list(NodeSelectorTerm) });
export type NodeSelector = Immutable<z.output<typeof NodeSelector>>;

export const PodAffinityTerm = z.object({
  labelSelector: maybe(LabelSelector),
  namespaces: list(z.string()),
  namespaceSelector: maybe(LabelSelector),
  topologyKey: z.string(),
  matchLabelKeys: list(z.string()),
  mismatchLabelKeys: list(z.string()),
});
export type PodAffinityTerm = Immutable<z.output<typeof PodAffinityTerm>>;

const RequiredPodTerms = z.object({ requiredDuringSchedulingIgnoredDuringExecution: list(PodAffinityTerm) });

export const Affinity = z.object({
  nodeAffinity: maybe(z.object({ requiredDuringSchedulingIgnoredDuringExecution: maybe(NodeSelector) })),
  podAffinity: maybe(RequiredPodTerms),
  podAntiAffinity: maybe(RequiredPodTerms),
});
export type Affinity = Immutable<z.output<typeof Affinity>>;

export const Toleration = z.object({
  key: defaulted(z.string(), ''),
  operator: defaulted(z.string(), 'Equal'),
  value: defaulted(z.string(), ''),
  effect: defaulted(z.string(), ''),
  tolerationSeconds: maybe(z.number()),
});
export type Toleration = Immutable<z.output<typeof Toleration>>;

/** Policy defaults: `podtopologyspread/common.go`. */
export const TopologySpreadConstraint = z.object({
  maxSkew: z.number(),
  topologyKey: z.string(),
  whenUnsatisfiable: defaulted(z.string(), 'DoNotSchedule'),
  labelSelector: maybe(LabelSelector),
  minDomains: maybe(z.number()),
  nodeAffinityPolicy: defaulted(z.string(), 'Honor'),
  nodeTaintsPolicy: defaulted(z.string(), 'Ignore'),
  matchLabelKeys: list(z.string()),
});
export type TopologySpreadConstraint = Immutable<z.output<typeof TopologySpreadConstraint>>;

const KeyToPath = z.object({ key: z.string(), path: defaulted(z.string(), '') });

export const Volume = z.object({
  name: z.string(),
  persistentVolumeClaim: maybe(z.object({ claimName: z.string(), readOnly: defaulted(z.boolean(), false) })),
  ephemeral: maybe(z.object({})),
  emptyDir: maybe(z.object({ medium: defaulted(z.string(), ''), sizeLimit: maybe(quantity) })),
  configMap: maybe(
    z.object({
      name: defaulted(z.string(), ''),
      items: list(KeyToPath),
      optional: defaulted(z.boolean(), false),
    }),
  ),
  secret: maybe(
    z.object({
      secretName: defaulted(z.string(), ''),
      items: list(KeyToPath),
      optional: defaulted(z.boolean(), false),
    }),
  ),
  projected: maybe(
    z.object({
      sources: list(
        z.object({
          configMap: maybe(
            z.object({
              name: defaulted(z.string(), ''),
              items: list(KeyToPath),
              optional: defaulted(z.boolean(), false),
            }),
          ),
          secret: maybe(
            z.object({
              name: defaulted(z.string(), ''),
              items: list(KeyToPath),
              optional: defaulted(z.boolean(), false),
            }),
          ),
        }),
      ),
    }),
  ),
  hostPath: maybe(z.object({ path: z.string() })),
  nfs: maybe(z.object({})),
  image: maybe(z.object({ reference: defaulted(z.string(), '') })),
  csi: maybe(
    z.object({
      driver: z.string(),
      readOnly: defaulted(z.boolean(), false),
      fsType: defaulted(z.string(), ''),
    }),
  ),
  gcePersistentDisk: maybe(z.object({ pdName: z.string(), readOnly: defaulted(z.boolean(), false) })),
  awsElasticBlockStore: maybe(z.object({ volumeID: z.string() })),
  iscsi: maybe(
    z.object({ iqn: z.string(), lun: defaulted(z.number(), 0), readOnly: defaulted(z.boolean(), false) }),
  ),
  rbd: maybe(
    z.object({
      monitors: list(z.string()),
      pool: defaulted(z.string(), 'rbd'),
      image: z.string(),
      readOnly: defaulted(z.boolean(), false),
    }),
  ),
});
export type Volume = Immutable<z.output<typeof Volume>>;

const PodResourceClaim = z.object({
  name: z.string(),
  resourceClaimName: maybe(z.string()),
  resourceClaimTemplateName: maybe(z.string()),
});

/** Below 0 it means 1 second (kubernetes `registry/core/pod/strategy.go: CheckGracefulDelete`). */
const graceSeconds = z.int().transform((seconds) => (seconds < 0 ? 1 : seconds));

/** Defaults are those the API server stores (`pkg/apis/core/v1/defaults.go`). */
export const PodSpec = z.object({
  nodeName: maybe(z.string()),
  nodeSelector: stringMap,
  affinity: maybe(Affinity),
  tolerations: list(Toleration),
  topologySpreadConstraints: list(TopologySpreadConstraint),
  containers: list(Container),
  initContainers: list(Container),
  ephemeralContainers: list(Container),
  overhead: resourceList,
  /** Pod-level resources (`PodLevelResources`, on since 1.34). */
  resources: maybe(ResourceRequirements),
  priority: maybe(z.int32()),
  priorityClassName: maybe(z.string()),
  preemptionPolicy: maybe(z.string()),
  schedulerName: defaulted(z.string(), 'default-scheduler'),
  schedulingGates: list(z.object({ name: z.string() })),
  /** Stored where the gate GenericWorkload is on (since 1.36). */
  schedulingGroup: maybe(z.object({ podGroupName: maybe(z.string()) })),
  /** Conditions that must be True before the pod is ready; a controller outside the kubelet sets them. */
  readinessGates: list(z.object({ conditionType: z.string() })),
  volumes: list(Volume),
  resourceClaims: list(PodResourceClaim),
  hostNetwork: defaulted(z.boolean(), false),
  enableServiceLinks: defaulted(z.boolean(), true),
  restartPolicy: defaulted(z.string(), 'Always'),
  terminationGracePeriodSeconds: defaulted(graceSeconds, 30),
  activeDeadlineSeconds: maybe(count64),
  runtimeClassName: maybe(z.string()),
  serviceAccountName: maybe(z.string()),
  imagePullSecrets: list(z.object({ name: defaulted(z.string(), '') })),
});
export type PodSpec = Immutable<z.output<typeof PodSpec>>;

const ParsedPodTemplate = z.object({
  metadata: ObjectMeta.nullish().transform((value) => value ?? ObjectMeta.parse({})),
  spec: PodSpec,
});

/**
 * A pod template: the fields the rules read, and `raw`, the template as it came, for semantic comparison and
 * diffs. `raw` may hold secrets in env values: whatever shows it goes through `redact` first.
 */
export const PodTemplate = z.record(z.string(), z.unknown()).transform((raw, context) => {
  const parsed = ParsedPodTemplate.safeParse({ ...raw, spec: raw.spec ?? {} });
  if (parsed.success) return { ...parsed.data, raw };
  for (const { message, path } of parsed.error.issues) {
    context.addIssue({ code: 'custom', message, path: [...path] });
  }
  return z.NEVER;
});
export type PodTemplate = Immutable<z.output<typeof PodTemplate>>;
