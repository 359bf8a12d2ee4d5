import type { AlertQuestion } from '../../../doctor/alerts/alert-record.js';
import { conclusionOf } from '../../../doctor/findings/main-finding.js';
import type { Incident } from '../../../doctor/incidents/incident.js';
import type { Tell } from '../../../engine/language/catalogue.js';
import type { Language } from '../../../engine/language/language.js';
import type { Prose } from '../../../engine/language/prose.js';
import { linkActionPrefix, workloadValue } from './action-ids.js';
import { answersText, withChoices } from './answers.js';
import { actions, linkButton, paragraph } from './blocks.js';
import { buttonTexts } from './button-text.js';
import { cardAlertsText } from './card-alerts-text.js';
import { workloadName } from './card-context.js';
import { diagnosisTitle } from './card-diagnosis.js';
import { cardText } from './card-text.js';
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

/** Says under the message of a resolved alert whether the cause is gone. */
export function renderResolution(incident: Incident, link: string | undefined, tell: Tell): Message {
  return withWayToCard(resolutionProse(incident, tell), incident, link, incident.language);
}

function resolutionProse(incident: Incident, tell: Tell): Prose {
  const { language, diagnosis, alerts = [], phase } = incident;
  const text = cardAlertsText[language];
  const workload = workloadName(incident);
  const firing = alerts.filter(({ status }) => status === 'firing').map(({ name }) => name);
  if (firing.length > 0) return text['others-firing']({ workload, alerts: [...new Set(firing)] });
  if (diagnosis === undefined || phase === 'failed') return text['cleared-unchecked']({ workload });
  switch (conclusionOf(diagnosis)) {
    case 'nothing':
      return text['cleared-recovered']({ workload, ready: cardText[language].ready(diagnosis.ready) });
    case 'found':
      return text['cleared-still-there']({ title: diagnosisTitle({ incident, tell }, diagnosis) });
    case 'unchecked':
      return text['cleared-unchecked']({ workload });
  }
}

/**
 * Tells the one who asked that the incident is open already, and where: its card may stand in a thread.
 *
 * @param isChange a change was requested: the card is where its forecast appears
 */
export function renderJoined(
  incident: Incident,
  link: string | undefined,
  language: Language,
  isChange = false,
): Message {
  const says = answersText[language][isChange ? 'joined-by-change' : 'joined']({
    workload: workloadName(incident),
  });
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
    about: workloadName(incident),
    url: link ?? '',
  });
  return fitted((size) => ({
    text: spoken([says]),
    blocks: [paragraph(says, size), ...(link === undefined ? [] : actions([open]))],
  }));
}

/** Asks everybody in the alert's thread which workload it is about. */
export function renderQuestion({ about, called, choices }: AlertQuestion, language: Language): Message {
  const text = cardAlertsText[language];
  const says =
    about === 'cluster' ? text['which-cluster']({ cluster: called }) : text['which-one']({ name: called });
  return withChoices(
    [says],
    choices.map((ref) => ({
      text: `${ref.kind} ${ref.namespace}/${ref.name} (${ref.cluster})`,
      value: workloadValue(ref),
    })),
    language,
  );
}
