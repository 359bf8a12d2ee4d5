import type { Change, Incident } from '../../../core/incident/incident.js';
import { type Prose, sentences } from '../../../core/language/prose.js';
import { workloadName } from './card-context.js';
import { cardText } from './card-text.js';
import { cardUndoneText } from './card-undone-text.js';
import { fieldText } from './field-diff.js';

/**
 * The verdict on an undo: it is undone as soon as the controller has observed it, whatever the rules find
 * then.
 */
export function undoneVerdict(incident: Incident, change: Change): Prose {
  const key = isUnobserved(change) ? 'unobserved' : 'undone';
  return cardUndoneText[incident.language][key]({ workload: workloadName(incident) });
}

/**
 * What is true after an undo: which values are back, which revision runs, and whether the next update
 * deadlocks. An older record does not know the values.
 */
export function undoneOutcome({ diagnosis, language }: Incident, change: Change): Prose {
  const text = cardUndoneText[language];
  const { restored } = change;
  if (diagnosis === undefined || isUnobserved(change)) return [];
  const fields = (restored ?? []).map(({ path, after }) => ({
    name: path.slice(path.lastIndexOf('.') + 1),
    value: fieldText(after),
  }));
  const { underWay, revision, findings } = diagnosis;
  const fragile = findings.find(({ cause }) => cause === 'fragile-strategy');
  return sentences(
    fields.length > 0 ? text['restored-fields']({ fields }) : [],
    restored?.length === 0 ? text['restored-template']({}) : [],
    fields.length > 0 && underWay === undefined && revision !== '' ? text['keeps-running']({ revision }) : [],
    underWay === undefined ? [] : cardText[language]['under-way'](underWay),
    fragile === undefined ? [] : text['next-update-deadlocks']({ confidence: fragile.confidence }),
  );
}

/** At the deadline. */
function isUnobserved({ verdict }: Change): boolean {
  return verdict === 'unchanged';
}
