import type { NamedWorkload } from '../../doctor/commands/command.js';
import type { Pages } from '../../doctor/incidents/page-links.js';
import type { Tell } from '../../engine/language/catalogue.js';
import type { Language } from '../../engine/language/language.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import type { ChangesSwitched, SwitchChanges } from '../../service/approve/change-stop.js';
import { explainSentence } from '../../service/diagnose/engine.js';
import type { RequestScan } from '../../service/diagnose/scan.js';
import type { ReadAudit, Unmatched } from '../../service/people/audit-trail.js';
import type { Refused } from '../../service/people/conversation.js';
import type { ListIncidents, ReadHistory } from '../../service/people/list-incidents.js';
import type { Silencing } from '../../service/people/silencing.js';
import type { LinkTo } from './card-link.js';
import type { OtherAnswers } from './listeners/deps.js';
import { queryName, renderNotFound, renderUnreadable } from './render/answers.js';
import { renderAudit } from './render/audit.js';
import { renderNotice } from './render/blocks.js';
import { type AskedOf, renderRequestChoices } from './render/change-request.js';
import { renderChangesSwitch } from './render/changes-switch.js';
import { renderExplanation } from './render/explanation.js';
import { renderHistory } from './render/history.js';
import { renderIncidents } from './render/incidents.js';
import type { Message } from './render/message.js';
import { recordsText } from './render/records-text.js';
import { renderNoCluster, renderScanning } from './render/scan.js';
import {
  renderLifted,
  renderNotSilenced,
  renderSilenced,
  renderSilences,
  renderTooLong,
} from './render/silences.js';

interface PeopleAnswersDeps {
  readonly tell: Tell;
  readonly linkTo: LinkTo;
  readonly pages: Pages;
  readonly hasTables: boolean;
  readonly listIncidents: ListIncidents;
  readonly readHistory: ReadHistory;
  readonly readAudit: ReadAudit;
  readonly requestScan: RequestScan;
  readonly silencing: Silencing;
  readonly switchChanges: SwitchChanges;
}

/** Answers to people's requests beside a diagnosis; each is for the asker's eyes, in their language. */
export function createPeopleAnswers(deps: PeopleAnswersDeps): OtherAnswers {
  const {
    tell,
    linkTo,
    pages,
    hasTables,
    listIncidents,
    readHistory,
    readAudit,
    requestScan,
    silencing,
    switchChanges,
  } = deps;
  const refused = ({ because }: Refused, language: Language): Message =>
    renderNotice(tell(because, language));
  return {
    explain: async ({ sentence }, { language }) =>
      renderExplanation(explainSentence(sentence, tell, language), language, pages),

    async scan({ cluster, namespace }, { user, channel, threadTs, language }) {
      const asked = await requestScan({ by: user, cluster, namespace, channel, threadTs });
      switch (asked.type) {
        case 'queued':
          return renderScanning(asked.scan, asked.joined, language);
        case 'cluster-unknown':
          return renderNoCluster(asked.name, asked.known, language, namespace);
        case 'refused':
          return refused(asked, language);
      }
    },

    async incidents(_request, { user, language }) {
      const list = await listIncidents({ by: user });
      if (list.type === 'refused') return refused(list, language);
      return renderIncidents(list, { tell, language, linkTo, hasTables });
    },

    async history({ query }, { user, language }) {
      const history = await readHistory({ by: user, query });
      if (history.type === 'refused') return refused(history, language);
      if (history.type !== 'history') return unmatched(history, query, { verb: 'history' }, language);
      return renderHistory(history, { tell, language, linkTo, hasTables });
    },

    async audit({ query }, { user, language }) {
      const trail = await readAudit({ by: user, query });
      if (trail.type === 'refused') return refused(trail, language);
      if (trail.type !== 'audit') {
        return unmatched(trail, query ?? { name: '' }, { verb: 'audit' }, language);
      }
      return renderAudit(trail, { tell, language, linkTo, hasTables });
    },

    async silence({ query, seconds, reason }, { user, language }) {
      const silenced = await silencing.silence({ by: user, query, seconds, reason });
      switch (silenced.type) {
        case 'silenced':
          return renderSilenced(silenced.silences, silenced.formers, language);
        case 'too-long':
          return renderTooLong(silenced.maxSeconds, language);
        case 'choices': {
          const rest = `${seconds / 60}m ${reason}`.trim();
          return choices(silenced.workloads, query, { verb: 'silence', rest }, language);
        }
        case 'not-found':
          return renderNotFound(silenced, query, language);
        case 'unreadable':
          return renderUnreadable(silenced, query, language);
        case 'refused':
          return refused(silenced, language);
      }
    },

    async unsilence({ query }, { user, language }) {
      const lifted = await silencing.lift({ by: user, query });
      switch (lifted.type) {
        case 'lifted':
          return renderLifted(lifted.silences, language);
        case 'not-silenced':
          return renderNotSilenced(queryName(query), lifted.others, language);
        case 'choices':
          return choices(lifted.workloads, query, { verb: 'unsilence' }, language);
        case 'refused':
          return refused(lifted, language);
      }
    },

    async silences(_request, { user, language }) {
      const list = await silencing.list({ by: user });
      if (list.type === 'refused') return refused(list, language);
      return renderSilences(list.silences, language);
    },

    changes: async (_request, { user, language }) =>
      switched(await switchChanges.show({ by: user }), language),
    'stop-changes': async ({ reason }, { user, language }) =>
      switched(await switchChanges.stop({ by: user, reason }), language),
    'allow-changes': async (_request, { user, language }) =>
      switched(await switchChanges.allow({ by: user }), language),
  };

  function switched(outcome: ChangesSwitched, language: Language): Message {
    return outcome.type === 'refused' ? refused(outcome, language) : renderChangesSwitch(outcome, language);
  }
}

function choices(
  workloads: readonly WorkloadRef[],
  query: NamedWorkload,
  asked: AskedOf,
  language: Language,
): Message {
  const says = recordsText[language]['which-one']({ name: queryName(query) });
  return renderRequestChoices([says], workloads, asked, language);
}

/** The records know no such workload, or several. */
function unmatched(found: Unmatched, query: NamedWorkload, asked: AskedOf, language: Language): Message {
  if (found.type === 'choices') return choices(found.workloads, query, asked, language);
  if (found.type === 'unreadable') return renderUnreadable(found, query, language);
  const text = recordsText[language];
  const name = queryName(query);
  const says = text['not-recorded']({ name });
  if (found.near.length === 0) return renderNotice(says, text['nothing-recorded']({ name }));
  return renderRequestChoices([says, text['near-records']()], found.near, asked, language);
}
