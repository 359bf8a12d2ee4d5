import type { Incident } from '../../../core/incident/incident.js';
import { linkActionPrefix } from './action-ids.js';
import { actions, button, paragraph } from './blocks.js';
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
  const workload = workloadName(incident);
  const says = cardAlertsText[language].pointer({ workload });
  const open = {
    ...button({
      actionId: `${linkActionPrefix}incident`,
      text: buttonTexts[language].toIncident,
      label: buttonTexts[language].toIncidentLabel(workload),
      value: incident.id,
    }),
    ...(link === undefined ? {} : { url: link.slice(0, 3_000) }),
  };
  return fitted((size) => ({
    text: spoken([says]),
    blocks: [paragraph(says, size), ...(link === undefined ? [] : actions([open]))],
  }));
}
