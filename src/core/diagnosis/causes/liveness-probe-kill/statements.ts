import { type NoValues, statementsOf } from '../../../language/statement.js';
import type { ProbeKillShapes } from '../../crashes/probe-kill.js';

/** What the rule states; told by `text.ts`. */
export type LivenessProbeKillShapes = ProbeKillShapes & { readonly 'no-startup-probe': NoValues };

export const state = statementsOf<LivenessProbeKillShapes>('liveness-probe-kill');
