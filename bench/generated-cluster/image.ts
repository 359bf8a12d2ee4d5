import { seededText } from './seeded-text.js';

const registries = [
  '602401143452.dkr.ecr.north-1.example.com',
  'registry.example',
  'ghcr.example/platform',
] as const;

export interface Image {
  /** With its tag. */
  readonly name: string;
  /** The repository and the digest. */
  readonly digest: string;
  readonly bytes: number;
}

/** Images of one number are the same on all nodes. */
export function imageOf(number: number): Image {
  const text = seededText(1, number);
  const repository = `${registries[number % registries.length]}/${repositories[number % repositories.length]}-${number}`;
  return {
    name: `${repository}:v${text.below(4)}.${text.below(30)}.${text.below(20)}`,
    digest: `${repository}@sha256:${text.hex(64)}`,
    bytes: 4_000_000 + text.below(600_000_000),
  };
}

const repositories = [
  'networking/cni',
  'storage/csi-driver',
  'observability/agent',
  'checkout/service',
  'search/indexer',
  'payments/gateway',
  'media/worker',
] as const;
