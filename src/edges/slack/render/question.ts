import type { AlertQuestion } from '../../../doctor/alerts/alert-record.js';
import type { Language } from '../../../engine/language/language.js';
import { workloadValue } from './action-ids.js';
import { withChoices } from './answers.js';
import { cardAlertsText } from './card-alerts-text.js';
import type { Message } from './message.js';

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
