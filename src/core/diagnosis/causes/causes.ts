import type { AnyCatalogue } from '../../language/catalogue.js';
import type { Rule } from '../rule.js';
import { applicationCrash } from './application-crash/rule.js';
import { text as applicationCrashText } from './application-crash/text.js';
import { crashLoopOnNode } from './crash-loop-on-node/rule.js';
import { text as crashLoopOnNodeText } from './crash-loop-on-node/text.js';
import { outOfMemory } from './out-of-memory/rule.js';
import { text as outOfMemoryText } from './out-of-memory/text.js';
import { surgeDeadlock } from './surge-deadlock/rule.js';
import { text as surgeDeadlockText } from './surge-deadlock/text.js';

/** A cause: its rule and its words. */
export interface Cause {
  readonly rule: Rule;
  readonly text: AnyCatalogue;
}

/** Every cause there is; a test compares this list with the folders beside it. */
export const causes: readonly Cause[] = [
  { rule: surgeDeadlock, text: surgeDeadlockText },
  { rule: applicationCrash, text: applicationCrashText },
  { rule: crashLoopOnNode, text: crashLoopOnNodeText },
  { rule: outOfMemory, text: outOfMemoryText },
];
