import * as z from 'zod';

/**
 * The id of a cause: its folder, test, docs page and metric label. Never renamed, never reused. The registry
 * (`causes/causes.ts`) lists those of this version; a record may hold one of another version.
 */
export const CauseId = z.string().regex(/^[a-z][a-z0-9-]{0,62}$/);
export type CauseId = z.output<typeof CauseId>;

export const severities = ['critical', 'warning', 'info'] as const;
export const Severity = z.enum(severities);
export type Severity = z.output<typeof Severity>;

/**
 * `proven`: the engines reproduce the block and the counterfactual removes it. `likely`: something could not
 * be simulated, and the finding says what. `possible`: consistent with what was seen, and more is.
 */
export const confidences = ['proven', 'likely', 'possible'] as const;
export const Confidence = z.enum(confidences);
export type Confidence = z.output<typeof Confidence>;

/**
 * What a cause comes from. A roll back may end what comes from the pod template, or from the volumes of the
 * template. It ends what comes from the rollout itself whatever the templates hold, because the new pods go.
 * What comes from the surroundings, pods of any revision would meet.
 */
export type Origin = 'template' | 'volumes' | 'rollout' | 'surroundings';
