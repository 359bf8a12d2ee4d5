import type { KubernetesObject } from '@kubernetes/client-node';

export interface RolloutOptions {
  readonly namespace: string;
  readonly name: string;
  readonly replicas?: number;
  /** `canary` or `blueGreen` with its fields; a canary without steps when left out. */
  readonly strategy?: object;
  readonly requests?: Readonly<Record<string, string>>;
  /** Further fields of the pods' spec. */
  readonly pod?: object;
  /** Further fields of the container. */
  readonly container?: object;
  /** Other fields of the spec. */
  readonly spec?: object;
}

export type RolloutObject = KubernetesObject & {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: {
    readonly phase?: string;
    readonly message?: string;
    readonly observedGeneration?: string;
    readonly stableRS?: string;
    readonly currentPodHash?: string;
    readonly currentStepIndex?: number;
    readonly pauseConditions?: readonly { readonly reason: string }[];
    readonly abort?: boolean;
    readonly conditions?: readonly { readonly type: string; readonly reason: string }[];
  };
};

export function podTemplate(
  name: string,
  requests: Readonly<Record<string, string>>,
  image = 'registry.example/app:1',
  pod: object = {},
  fields: object = {},
): object {
  const extended = Object.fromEntries(Object.entries(requests).filter(([key]) => key.includes('/')));
  const container = { name: 'app', image, resources: { requests, limits: extended }, ...fields };
  return { metadata: { labels: { app: name } }, spec: { ...pod, containers: [container] } };
}

/** A Rollout of one container. */
export function rolloutManifest(options: RolloutOptions): RolloutObject {
  const { namespace, name, replicas = 1, strategy = { canary: {} }, requests = {} } = options;
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: { namespace, name },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      strategy,
      template: podTemplate(name, requests, undefined, options.pod, options.container),
      ...options.spec,
    },
  };
}

/** A Service for the pods of the app; the controller sets its selector further. */
export const serviceManifest = (namespace: string, name: string, app: string): KubernetesObject =>
  Object.assign(
    { apiVersion: 'v1', kind: 'Service', metadata: { namespace, name } },
    { spec: { selector: { app }, ports: [{ port: 80, targetPort: 80 }] } },
  );

/** An Ingress that the controller copies for the canary: routing by it needs no other program. */
export function ingressManifest(namespace: string, name: string, service: string): KubernetesObject {
  const backend = { service: { name: service, port: { number: 80 } } };
  const paths = [{ path: '/', pathType: 'Prefix', backend }];
  return Object.assign(
    { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { namespace, name } },
    { spec: { rules: [{ host: `${name}.example`, http: { paths } }] } },
  );
}
