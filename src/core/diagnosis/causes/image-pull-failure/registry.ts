import type { Finding } from '../../finding.js';
import type { PullRefusal } from './refusal.js';

/** Refusals that an image name, a pod template or a node causes, whatever the registry answers. */
const notOfRegistry: ReadonlySet<PullRefusal> = new Set([
  'architecture',
  'invalid-name',
  'never-pull',
  'no-space',
]);

/** The registry that did not give the image; none where another pod of the revision has the image. */
export function blamedRegistry({
  image,
  refusal,
  podsWithImage,
}: {
  readonly image: string;
  readonly refusal: PullRefusal;
  readonly podsWithImage: readonly string[];
}): Pick<Finding, 'blames'> {
  if (notOfRegistry.has(refusal) || podsWithImage.length > 0) return {};
  return { blames: { kind: 'Registry', name: registryOf(image) } };
}

/**
 * The host of an image name: its first part where that has a dot, a port or a capital letter, or is
 * `localhost`; Docker Hub otherwise. source: github.com/distribution/reference normalize.go,
 * splitDockerDomain
 */
export function registryOf(image: string): string {
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(0, slash));
  const isHost = /[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase();
  return isHost ? first : 'docker.io';
}
