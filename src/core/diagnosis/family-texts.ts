import type { MovedSentences } from '../language/catalogue.js';
import { arithmeticCatalogueId, arithmeticText } from './arithmetic/text.js';
import { probeKillText } from './crashes/probe-kill-text.js';
import { crashesCatalogueId, crashesText } from './crashes/text.js';
import { creationText } from './creation/text.js';
import { strategiesText } from './deadlock/strategies-text.js';
import { deadlockText } from './deadlock/text.js';
import { endingsText } from './endings/text.js';
import { waitingText } from './waiting/text.js';

/** The sentences that several causes share, by the id of the family that owns them. */
export const familyTexts = {
  [arithmeticCatalogueId]: arithmeticText,
  [crashesCatalogueId]: crashesText,
  'probe-kill': probeKillText,
  creation: creationText,
  endings: endingsText,
  deadlock: deadlockText,
  strategies: strategiesText,
  waiting: waitingText,
} as const;

/**
 * Where sentences of other catalogues stand now, for statements in records of earlier versions: the catalogues to look
 * in by the one that a statement names, and those with another key by `catalogue/key`.
 */
export const movedSentences: MovedSentences = {
  catalogues: {
    ...Object.fromEntries(
      ['readiness-deadlock', 'volume-attach-deadlock', 'quota-deadlock'].map((id) => [
        id,
        ['deadlock', 'creation', 'waiting'],
      ]),
    ),
    'surge-deadlock': ['deadlock', 'waiting', 'strategies'],
    'progress-deadline-exceeded': ['deadlock'],
    'rollout-paused': ['deadlock'],
    'fragile-strategy': ['deadlock'],
    ...Object.fromEntries(
      [
        'capacity-contention',
        'insufficient-capacity',
        'node-cordoned',
        'node-not-ready',
        'preempted',
        'scale-up-pending',
        'unsatisfiable-placement',
        'waiting-for-autoscaler',
        'volume-unbound',
        'workload-being-deleted',
        'stuck-terminating',
      ].map((id) => [id, ['waiting']]),
    ),
    ...Object.fromEntries(
      [
        'config-missing',
        'mount-failure',
        'process-exits-zero',
        'init-container-stuck',
        'sandbox-failure',
        'kubelet-rejected',
      ].map((id) => [id, ['crashes']]),
    ),
    'liveness-probe-kill': ['probe-kill'],
    'startup-probe-kill': ['probe-kill'],
    'readiness-failing': ['probe-kill'],
    'quota-exceeded': ['creation'],
    'admission-denied': ['creation'],
    ...Object.fromEntries(
      [
        'patch-strategy',
        'scale-down-old',
        'resume-rollout',
        'undo-rollout',
        'exclude-nodes',
        'restart-rollout',
        'delete-pod',
      ].map((id) => [id, ['effects']]),
    ),
  },
  keys: {
    'delete-pod/withheld-budget': { catalogue: 'refusals', key: 'pod-protected' },
    'delete-pod/withheld-budget-unread': { catalogue: 'refusals', key: 'budgets-unread' },
    'mount-failure/says': { catalogue: 'crashes', key: 'event-says' },
    'sandbox-failure/says': { catalogue: 'crashes', key: 'event-says' },
    'kubelet-rejected/says': { catalogue: 'crashes', key: 'kubelet-says' },
    'evicted/says': { catalogue: 'crashes', key: 'kubelet-says' },
    'probe-configuration/standing': { catalogue: 'crashes', key: 'standing-configuration' },
    'resource-configuration/standing': { catalogue: 'crashes', key: 'standing-configuration' },
    'probe-configuration/advice-title': { catalogue: 'crashes', key: 'advice-configuration-title' },
    'resource-configuration/advice-title': { catalogue: 'crashes', key: 'advice-configuration-title' },
    'admission-denied/because-never-created': { catalogue: 'creation', key: 'because-no-pod' },
    'scale-up-pending/no-circle': { catalogue: 'scale-up-pending', key: 'no-deadlock' },
    'waiting-for-autoscaler/ordered-for-nobody': {
      catalogue: 'waiting-for-autoscaler',
      key: 'ordered-for-unknown-pods',
    },
    'insufficient-capacity/because-nobody': {
      catalogue: 'insufficient-capacity',
      key: 'because-no-single-holder',
    },
    'node-not-ready/stays-for-ever': { catalogue: 'node-not-ready', key: 'stays-without-limit' },
    'scheduling-gated/lifted-by': { catalogue: 'scheduling-gated', key: 'removed-by' },
    'stuck-terminating/lifted-by': { catalogue: 'stuck-terminating', key: 'removed-by' },
  },
};
