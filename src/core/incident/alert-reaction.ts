import { conclusionOf, mainFindingOf } from '../diagnosis/main-finding.js';
import type { Incident } from './incident.js';

/** What the reaction on the message of an alert says of its incident. */
export const alertReactions = ['looking', 'critical', 'warning', 'healthy', 'unknown'] as const;
export type AlertReaction = (typeof alertReactions)[number];

/**
 * The reaction on the message that the card of the incident answers; `undefined` where its card answers no
 * message of an alert, and where another incident goes on in its place. Further alerts of an incident have no
 * reaction of their own, so that their number costs nothing.
 */
export function reactionOf(incident: Incident): AlertReaction | undefined {
  const { origin, alerts, threadTs, successor, phase, diagnosis } = incident;
  if (origin.via !== 'alert' || alerts === undefined || threadTs === undefined || successor !== undefined) {
    return undefined;
  }
  if (phase === 'failed') return 'unknown';
  if (diagnosis === undefined) return 'looking';
  switch (conclusionOf(diagnosis)) {
    case 'nothing':
      return 'healthy';
    case 'unchecked':
      return 'unknown';
    case 'found':
      return mainFindingOf(diagnosis).main?.severity === 'warning' ? 'warning' : 'critical';
  }
}
