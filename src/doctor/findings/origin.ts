/**
 * What a cause comes from. A roll back may end what comes from the pod template, or from the volumes of the
 * template. It ends what comes from the rollout itself whatever the templates hold, because the new pods go.
 * What comes from the surroundings, pods of any revision would meet.
 */
export type Origin = 'template' | 'volumes' | 'rollout' | 'surroundings';
