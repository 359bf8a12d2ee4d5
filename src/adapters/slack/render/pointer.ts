import type { Incident } from '../../../core/incident/incident.js';
import type { Language } from '../../../core/language/language.js';
import type { Prose } from '../../../core/language/prose.js';
import { linkActionPrefix } from './action-ids.js';
import { answersText } from './answers-text.js';
import { actions, linkButton, paragraph } from './blocks.js';
import { buttonTexts } from './button-text.js';
import { cardAlertsText } from './card-alerts-text.js';
import { workloadName } from './card-context.js';
import { fitted, type Message, spoken } from './message.js';

/**
 * Says in the thread of a further alert where its incident is.
 *
 * @param link the card's address as Slack gives it; without one, the name has to do
 */
export function renderPointer(incident: Incident, link: string | undefined): Message {
  const { language } = incident;
  const says = cardAlertsText[language].pointer({ workload: workloadName(incident) });
  return withWayToCard(says, incident, link, language);
}

/** Tells the one who asked that the incident is open already, and where: its card may stand in a thread. */
export function renderJoined(incident: Incident, link: string | undefined, language: Language): Message {
  const says = answersText[language].joined({ workload: workloadName(incident) });
  return withWayToCard(says, incident, link, language);
}

function withWayToCard(
  says: Prose,
  incident: Incident,
  link: string | undefined,
  language: Language,
): Message {
  const texts = buttonTexts[language];
  const open = linkButton({
    actionId: `${linkActionPrefix}incident`,
    text: texts.toIncident,
    label: texts.toIncidentLabel(workloadName(incident)),
    url: link ?? '',
  });
  return fitted((size) => ({
    text: spoken([says]),
    blocks: [paragraph(says, size), ...(link === undefined ? [] : actions([open]))],
  }));
}
