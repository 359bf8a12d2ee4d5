import { parseSchedulerMessage } from '#src/engine/messages/parse-scheduler-message.js';
import type { Expected } from './expected.js';

const joined = (...parts: readonly (string | number | undefined)[]): string =>
  parts.filter((part) => part !== undefined).join(' ');

/** What the parser finds in a text, in the form of the expectations. */
export function foundIn(text: string): Expected {
  const { nodes, feasible, reasons, preemption } = parseSchedulerMessage(text);
  const found = preemption.reasons.map(({ count, reason }) => joined(count, reason));
  return {
    says: text,
    ...(nodes === undefined && feasible === undefined ? {} : { nodes: `${feasible ?? ''}/${nodes ?? ''}` }),
    reasons: reasons.map(({ count, reason, detail }) => joined(count, reason, detail)),
    ...(found.length === 0 ? {} : { preemption: found }),
  };
}
