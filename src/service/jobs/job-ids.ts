import type { Jobs, QueueName } from './jobs.js';

/**
 * The same request always gives the same id, so that a repeated enqueue adds nothing. BullMQ refuses `:` in
 * ids; incident ids, approval ids and versions hold none.
 */
export function jobIdOf<Name extends QueueName>(queue: Name, job: Jobs[Name]): string {
  const make: { readonly [Each in QueueName]: (payload: Jobs[Each]) => string } = {
    alert: ({ alertId, signal }) => `alert-${alertId}-${signal}`,
    diagnosis: ({ incidentId, look, follow }) =>
      `diagnosis-${incidentId}-${look}${follow === undefined ? '' : `-follow-${follow}`}`,
    scan: ({ scanId }) => `scan-${scanId}`,
    sentinel: ({ candidate }) => `sentinel-${candidate}`,
    'dry-run': ({ approvalId, ask }) => `dry-run-${approvalId}-${ask}`,
    'pull-request': ({ approvalId }) => `pull-request-${approvalId}`,
    remediation: ({ approvalId }) => `remediation-${approvalId}`,
    verification: ({ approvalId, remind }) => `${remind ? 'reminder' : 'verification'}-${approvalId}`,
    question: ({ questionId }) => `question-${questionId}`,
    review: ({ questionId }) => `review-${questionId}`,
    delivery: (payload) => {
      switch (payload.kind) {
        case 'card':
          return `card-${payload.incidentId}-${payload.version}`;
        case 'thread':
          return `thread-${payload.incidentId}-${payload.entry.kind}-${payload.entry.of}`;
        case 'question':
          return `question-${payload.alertId}-${payload.of}`;
        case 'pointer':
          return `pointer-${payload.incidentId}-${payload.channel}-${payload.threadTs}`;
        case 'reaction':
          return `reaction-${payload.incidentId}-${payload.version}`;
        case 'resolution':
          return `resolution-${payload.incidentId}-${payload.channel}-${payload.threadTs}-${payload.of}`;
        case 'note':
          return `note-${payload.incidentId}-${payload.alertId}-${payload.approvalId}`;
        case 'result':
          return `result-${payload.incidentId}-${payload.look}-${payload.user}`;
        case 'notice':
          return `notice-${payload.id}`;
      }
    },
  };
  return make[queue](job);
}
