import { matchesSelector } from '../../objects/label-selector.js';
import type { Node } from '../../objects/node.js';
import type { NodeSelectorTerm } from '../../objects/pod-spec.js';
import type { PersistentVolume, PersistentVolumeClaim } from '../../objects/storage.js';
import { type ClusterFacts, claimClass, selectedNode, volumeClass } from '../cluster-facts.js';
import { matchesNodeSelector } from '../node-selector.js';
import { compareQuantities, parseQuantity, type Quantity } from '../quantity.js';
import { noObjections, type Objection } from '../reason.js';
import type { Filter } from '../situation.js';

/** Volumes that cannot be used, or found, on this node (`volumebinding/volume_binding.go: Filter`). */
export const volumeBinding: Filter = ({ world, volumes }, node) => {
  const { bound, delayed } = volumes();
  if (bound.length === 0 && delayed.length === 0) return noObjections;
  const unreachable = bound
    .filter(({ volume }) => !volumeReaches(volume, node))
    .map(
      ({ claim, volume }): Objection => ({
        id: 'volume-affinity',
        plugin: 'VolumeBinding',
        text: "node(s) didn't match PersistentVolume's node affinity",
        resolvable: false,
        preemptible: false,
        claim: claim.metadata.name,
        volume: volume.metadata.name,
      }),
    );
  const unbindable = [...bindingProblems(world.facts, delayed, node)].map(
    ([claim, problem]): Objection =>
      problem === 'unknown-capacity'
        ? {
            id: 'not-simulated',
            plugin: 'VolumeBinding',
            why: 'storage-capacity',
            subject: claim.metadata.name,
          }
        : {
            id: 'no-pv',
            plugin: 'VolumeBinding',
            text: "node(s) didn't find available persistent volumes to bind",
            resolvable: false,
            preemptible: false,
            claim: claim.metadata.name,
          },
  );
  return [...unreachable, ...unbindable];
};

/** What keeps a claim that waits for its first consumer from getting a volume on a node. */
type BindingProblem = 'no-volume' | 'unknown-capacity';

const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

/**
 * Finds each claim a volume on this node: an available one that matches, the smallest first, or one to be
 * provisioned there (`binder.go: FindPodVolumes`, `pv_helpers.go: FindMatchingVolume`). No claim may take
 * another's volume.
 */
function bindingProblems(
  facts: ClusterFacts,
  claims: readonly PersistentVolumeClaim[],
  node: Node,
): ReadonlyMap<PersistentVolumeClaim, BindingProblem> {
  const problems = new Map<PersistentVolumeClaim, BindingProblem>();
  const taken = new Set<PersistentVolume>();
  for (const claim of [...claims].sort((a, b) => compareQuantities(size(a), size(b)))) {
    const selected = selectedNode(claim);
    if (selected !== undefined && selected !== node.metadata.name) {
      problems.set(claim, 'no-volume');
      continue;
    }
    const volume = selected === undefined ? matchingVolume(facts, claim, node, taken) : undefined;
    if (volume !== undefined) {
      taken.add(volume);
      continue;
    }
    const problem = provisioningProblem(facts, claim, node);
    if (problem !== undefined) problems.set(claim, problem);
  }
  return problems;
}

/** True when the volume can be used on the node: its required node affinity, by labels alone. */
function volumeReaches(volume: PersistentVolume, node: Node): boolean {
  const required = volume.spec.nodeAffinity?.required;
  return required === undefined || matchesNodeSelector(required, node.metadata.labels, undefined);
}

function matchingVolume(
  facts: ClusterFacts,
  claim: PersistentVolumeClaim,
  node: Node,
  taken: ReadonlySet<PersistentVolume>,
): PersistentVolume | undefined {
  let best: PersistentVolume | undefined;
  for (const volume of facts.volumesOfClass(claimClass(claim))) {
    if (taken.has(volume) || !isCandidate(volume, claim)) continue;
    if (volume.spec.claimRef !== undefined) return volumeReaches(volume, node) ? volume : undefined;
    if (volume.status.phase !== 'Available' || !suits(volume, claim) || !volumeReaches(volume, node))
      continue;
    if (best === undefined || compareQuantities(capacity(volume), capacity(best)) < 0) best = volume;
  }
  return best;
}

/** Not another's, large enough, of the same mode and attributes, not being deleted. */
function isCandidate({ metadata, spec }: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const owner = spec.claimRef;
  if (
    owner !== undefined &&
    (owner.name !== claim.metadata.name ||
      owner.namespace !== claim.metadata.namespace ||
      (owner.uid !== '' && owner.uid !== claim.metadata.uid))
  ) {
    return false;
  }
  return (
    metadata.deletionTimestamp === undefined &&
    compareQuantities(quantity(spec.capacity), size(claim)) >= 0 &&
    (spec.volumeMode ?? 'Filesystem') === (claim.spec.volumeMode ?? 'Filesystem') &&
    (spec.volumeAttributesClassName ?? '') === (claim.spec.volumeAttributesClassName ?? '')
  );
}

function suits(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  return (
    volumeClass(volume) === claimClass(claim) &&
    (claim.spec.selector === undefined || matchesSelector(claim.spec.selector, volume.metadata.labels)) &&
    claim.spec.accessModes.every((mode) => volume.spec.accessModes.includes(mode))
  );
}

function provisioningProblem(
  facts: ClusterFacts,
  claim: PersistentVolumeClaim,
  node: Node,
): BindingProblem | undefined {
  const storageClass = facts.storageClass(claimClass(claim));
  if (
    storageClass === undefined ||
    storageClass.provisioner === '' ||
    storageClass.provisioner === NO_PROVISIONER
  ) {
    return 'no-volume';
  }
  if (!matchesTopologies(storageClass.allowedTopologies, node)) return 'no-volume';
  if (claim.spec.resources?.requests.storage === undefined) return undefined;
  return facts.csiDriver(storageClass.provisioner)?.spec.storageCapacity === true
    ? 'unknown-capacity'
    : undefined;
}

function matchesTopologies(terms: readonly NodeSelectorTerm[], node: Node): boolean {
  return (
    terms.length === 0 || matchesNodeSelector({ nodeSelectorTerms: terms }, node.metadata.labels, undefined)
  );
}

function size(claim: PersistentVolumeClaim): Quantity {
  return quantity(claim.spec.resources?.requests ?? {});
}

function capacity(volume: PersistentVolume): Quantity {
  return quantity(volume.spec.capacity);
}

function quantity(list: Readonly<Record<string, string>>): Quantity {
  return parseQuantity(list.storage ?? '0') ?? { nano: 0n, format: 'DecimalSI' };
}
