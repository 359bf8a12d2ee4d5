import type { Pod } from '../../../engine/objects/pod.js';
import type { Advice } from '../../findings/finding.js';
import { state } from './text.js';

/** A volume that the kubelet keeps in memory, which has no room for what belongs there. */
interface FullInMemory {
  readonly volume: string;
  /** Memory limits of the containers of the pod: together they are the size of the volume. */
  readonly limits: readonly string[];
}

const full = /\bno space left on device\b/i;

/**
 * Secrets, tokens and volumes of `medium: Memory` are file systems in memory. Where every container has a
 * memory limit, their sum is the size (kubernetes `volume/emptydir: calculateEmptyDirMemorySize`); otherwise
 * the node bounds it. A ConfigMap is kept on the disk.
 */
export function fullInMemory(
  { spec }: Pod,
  named: string | undefined,
  message: string,
): FullInMemory | undefined {
  const volume = spec.volumes.find(({ name }) => name === named);
  const isInMemory =
    volume?.secret !== undefined || volume?.projected !== undefined || volume?.emptyDir?.medium === 'Memory';
  if (volume === undefined || !isInMemory || !full.test(message)) return undefined;
  const limits = spec.containers.map(({ resources }) => resources.limits.memory);
  const given = limits.filter((limit) => limit !== undefined);
  return given.length > 0 && given.length === limits.length
    ? { volume: volume.name, limits: [...new Set(given)] }
    : undefined;
}

export function memoryAdvice({ limits }: FullInMemory): Advice {
  const isBelowOne = limits.some((limit) => /^[\d.]{1,20}m$/u.test(limit));
  return { title: state('advice-memory-title'), text: state('advice-memory', { limits, isBelowOne }) };
}
