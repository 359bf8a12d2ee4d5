import type { Snapshot } from '../cluster/snapshot.js';
import type { Diagnosis } from '../diagnosis/diagnosis.js';
import type { Finding } from '../diagnosis/finding.js';
import { mainFindingOf } from '../diagnosis/main-finding.js';
import type { Picture } from '../diagnosis/picture.js';
import type { WaitCycle } from '../diagnosis/wait-cycle.js';
import { nodeStrip } from './node-strip.js';
import { troubledIn } from './seen-pods.js';

/**
 * The picture of a diagnosis: the wait cycle of its main finding, otherwise its pods by node.
 *
 * @returns `undefined` where there are no pods, or not all were read
 */
export function pictureOf(
  snapshot: Snapshot,
  { findings }: Pick<Diagnosis, 'findings'>,
): Picture | undefined {
  const { main } = mainFindingOf({ findings });
  return (main && waitCycleOf(main)) ?? nodeStrip(snapshot, main?.shows === 'pods-by-node-and-revision');
}

/** `undefined` where the finding names no cycle, or calls it merely possible. */
export function waitCycleOf({ confidence, subject, waitCycle }: Finding): WaitCycle | undefined {
  if (waitCycle === undefined || confidence === 'possible') return undefined;
  const workload = `${subject.namespace}/${subject.name}`;
  return { v: 1, kind: 'wait-cycle', workload, confidence, steps: [...waitCycle] };
}

/**
 * Whether the picture explains more than words: a wait cycle, or failing pods on some nodes. The strip of
 * other findings and of a healthy workload only replaces an earlier picture.
 */
export function isWorthShowing(diagnosis: Pick<Diagnosis, 'findings' | 'picture'>): boolean {
  const { picture } = diagnosis;
  const { main } = mainFindingOf(diagnosis);
  if (picture === undefined || main === undefined) return false;
  if (picture.kind === 'wait-cycle') return true;
  return main.shows !== undefined && picture.groups.some(hasTrouble);
}

type Group = Extract<Picture, { readonly kind: 'node-strip' }>['groups'][number];

function hasTrouble({ rows, folded }: Group): boolean {
  return [folded.pods, ...rows.map(({ pods }) => pods)].some(
    (pods) => troubledIn(pods) > 0 || (pods['not-ready'] ?? 0) > 0,
  );
}
