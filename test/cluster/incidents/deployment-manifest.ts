import type {
  V1Container,
  V1Deployment,
  V1DeploymentSpec,
  V1DeploymentStrategy,
  V1PodSpec,
} from '@kubernetes/client-node';

export interface DeploymentOptions {
  readonly namespace: string;
  readonly name: string;
  readonly replicas?: number;
  /** Requests, and for extended resources limits of the same size, as the API demands. */
  readonly requests?: Readonly<Record<string, string>>;
  readonly container?: Partial<V1Container>;
  readonly pod?: Partial<V1PodSpec>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly strategy?: V1DeploymentStrategy;
  readonly paused?: boolean;
  /** Other fields of the spec, such as `minReadySeconds`. */
  readonly spec?: Partial<Omit<V1DeploymentSpec, 'selector' | 'template'>>;
}

/** A Deployment of one container; the API server's defaults apply to all other fields. */
export function deploymentManifest(options: DeploymentOptions): V1Deployment {
  const { namespace, name, replicas = 1, requests = {}, strategy, paused } = options;
  const labels = { app: name };
  const extended = Object.fromEntries(Object.entries(requests).filter(([key]) => key.includes('/')));
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace, name, labels },
    spec: {
      ...options.spec,
      replicas,
      selector: { matchLabels: labels },
      ...(strategy === undefined ? {} : { strategy }),
      ...(paused === undefined ? {} : { paused }),
      template: {
        metadata: { labels, annotations: { ...options.annotations } },
        spec: {
          ...options.pod,
          containers: [
            {
              name: 'app',
              image: 'registry.example/app:1',
              resources: { requests: { ...requests }, limits: extended },
              ...options.container,
            },
          ],
        },
      },
    },
  };
}
