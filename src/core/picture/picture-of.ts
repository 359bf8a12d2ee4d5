import type { Snapshot } from '../cluster/snapshot.js';
import type { CauseId } from '../diagnosis/cause-id.js';
import type { Diagnosis } from '../diagnosis/diagnosis.js';
import { mainFindingOf } from '../diagnosis/main-finding.js';
import type { Picture } from '../diagnosis/picture.js';
import { nodeStrip } from './node-strip.js';
import { troubledIn } from './seen-pods.js';
import { waitCycle } from './wait-cycle.js';

/**
 * What to draw of a diagnosis: the circle where its main finding is one, else its pods by node.
 *
 * @returns `undefined` where there are no pods, or not all were read
 */
export function pictureOf(
  snapshot: Snapshot,
  { findings }: Pick<Diagnosis, 'findings'>,
): Picture | undefined {
  const { main } = mainFindingOf({ findings });
  const cycle = main && waitCycle(main);
  return cycle ?? nodeStrip(snapshot, main?.cause === 'crash-loop-after-rollout');
}

/**
 * Whether the picture says more than words do: a circle, or pods on nodes of which some are in trouble. The strip of
 * other findings, and of a workload that is well, only takes the place of an earlier picture.
 */
export function isWorthShowing(diagnosis: Pick<Diagnosis, 'findings' | 'picture'>): boolean {
  const { picture } = diagnosis;
  const { main } = mainFindingOf(diagnosis);
  if (picture === undefined || main === undefined) return false;
  if (picture.kind === 'wait-cycle') return true;
  return aboutPodsOnNodes.has(main.cause) && picture.groups.some(hasTrouble);
}

type Group = Extract<Picture, { readonly kind: 'node-strip' }>['groups'][number];

function hasTrouble({ rows, folded }: Group): boolean {
  return [folded.pods, ...rows.map(({ pods }) => pods)].some(
    (pods) => troubledIn(pods) > 0 || (pods['not-ready'] ?? 0) > 0,
  );
}

/** Causes that pods on nodes show by themselves. */
const aboutPodsOnNodes: ReadonlySet<CauseId> = new Set([
  'crash-loop-on-node',
  'crash-loop-after-rollout',
  'application-crash',
  'process-exits-zero',
  'bad-command',
  'out-of-memory',
  'node-out-of-memory',
  'liveness-probe-kill',
  'startup-probe-kill',
  'readiness-failing',
  'init-container-stuck',
  'config-missing',
  'image-pull-failure',
  'mount-failure',
  'sandbox-failure',
  'evicted',
  'kubelet-rejected',
  'preempted',
  'node-not-ready',
]);
