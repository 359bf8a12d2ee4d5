import type { Objection } from '../reason.js';

/** Shared, so that a node that fits costs no allocation. */
export const noObjections: readonly Objection[] = [];
