import type { KnownBlock } from '@slack/types';
import { conclusionOf } from '../../../core/diagnosis/main-finding.js';
import type { Incident } from '../../../core/incident/incident.js';
import { alertStatusOf } from '../../../core/incident/incident-alerts.js';
import { type Prose, say, word } from '../../../core/language/prose.js';
import { paragraph } from './blocks.js';
import { cardAlertsText } from './card-alerts-text.js';
import type { CardContext, CardParts } from './card-context.js';
import { workloadName } from './card-context.js';

/** What the alerts of the incident say now, and whether the check agrees. */
export function alertBlocks({ incident, size }: CardContext): KnownBlock[] {
  const says = alertProse(incident);
  return says === undefined ? [] : [paragraph(says, size)];
}

function alertProse(incident: Incident): Prose | undefined {
  const { alerts: told = [], occurrences: times, language, phase, diagnosis } = incident;
  const text = cardAlertsText[language];
  const alerts = [...new Set(told.map(({ name }) => name))];
  switch (alertStatusOf(incident)) {
    case undefined:
      return undefined;
    case 'firing': {
      const firing = told.filter(({ status }) => status === 'firing').length;
      return firing === told.length
        ? text.firing({ alerts, times })
        : text['partly-resolved']({ alerts: told.map(({ name }) => name), firing, times });
    }
    case 'resolved':
      if (phase === 'diagnosing') return text.checking({ alerts });
      if (phase === 'failed' || diagnosis === undefined) return text['not-checked']({ alerts });
      if (phase !== 'diagnosed' && phase !== 'settled') return undefined;
      switch (conclusionOf(diagnosis)) {
        case 'nothing':
          return text.closed({ alerts });
        case 'found':
          return text['still-there']({ alerts });
        case 'unchecked':
          return text['not-checked']({ alerts });
      }
  }
}

/** The card of an incident that another one has taken over. */
export function succeededBlocks({ incident, size }: CardContext): CardParts {
  const text = cardAlertsText[incident.language];
  return {
    title: say`${word('⚪')} ${text.succeeded({ workload: workloadName(incident) })}`,
    spoken: [],
    blocks: [paragraph(text['succeeded-by']({}), size)],
  };
}
