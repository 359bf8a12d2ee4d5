import { statementsOf } from '../../../language/statement.js';
import type { ProbeKillShapes } from '../../crashes/probe-kill.js';

export const state = statementsOf<ProbeKillShapes>('startup-probe-kill');
