import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { Language } from '../../../../engine/language/language.js';
import type { Prose } from '../../../../engine/language/prose.js';
import type { DiagnosisRequested } from '../../../../service/people/conversation.js';
import { actionIds, GroupPageValue, IncidentValue, MemberValue } from '../../render/action-ids.js';
import { workloadName } from '../../render/card-context.js';
import { renderGroupList, renderGroupLoading, renderGroupOutcome } from '../../render/group-list.js';
import { groupText } from '../../render/group-text.js';
import type { ListenerDeps } from '../deps.js';
import { guarded } from '../guarded.js';
import { askerOf, buttonValue, type Press } from './press.js';
import { openPrivateModal, refillPrivateModal } from './private-modal.js';

const name = 'group';

/**
 * The list of a group in a modal that only the person who pressed sees, its pages, and a diagnosis of one
 * workload.
 */
export function register(app: App, deps: ListenerDeps): void {
  app.action<BlockAction<ButtonAction>>(actionIds.group, async ({ ack, ...press }) => {
    await ack();
    await guarded(deps, askerOf(deps, press), { listener: 'actions/group' }, async () => {
      const incidentId = await buttonValue(deps, press, IncidentValue);
      if (incidentId === undefined) return;
      const fill = (language: Language) => listOf(deps, press, { incidentId, page: 0, language });
      const outcome = renderGroupOutcome;
      await openPrivateModal(deps, press, { name, loading: renderGroupLoading, fill, outcome });
    });
  });
  app.action<BlockAction<ButtonAction>>(/^group\.page\.\d+$/, async ({ ack, ...press }) => {
    await ack();
    await guarded(deps, askerOf(deps, press), { listener: 'actions/group' }, async () => {
      const asked = await buttonValue(deps, press, GroupPageValue);
      if (asked === undefined) return;
      const fill = (language: Language) => listOf(deps, press, { ...asked, language });
      await refillPrivateModal(deps, press, { name, fill, outcome: renderGroupOutcome });
    });
  });
  app.action<BlockAction<ButtonAction>>(actionIds.member, async ({ ack, ...press }) => {
    await ack();
    await guarded(deps, askerOf(deps, press), { listener: 'actions/group' }, async () => {
      const asked = await buttonValue(deps, press, MemberValue);
      if (asked === undefined || (await deps.seenBefore(`action.${press.body.trigger_id}`))) return;
      const fill = async (language: Language) => {
        const { languageOfChannel } = deps;
        const by = press.body.user.id;
        const requested = await deps.diagnoseMember({ ...asked, by, languageOfChannel });
        return listOf(deps, press, { ...asked, language, done: outcomeOf(deps, requested, language) });
      };
      await refillPrivateModal(deps, press, { name, fill, outcome: renderGroupOutcome });
    });
  });
}

async function listOf(
  { readGroup, linkTo, tell }: ListenerDeps,
  { body }: Press,
  list: {
    readonly incidentId: string;
    readonly page: number;
    readonly language: Language;
    readonly done?: Prose;
  },
): Promise<ModalView> {
  const { incidentId, language } = list;
  const read = await readGroup({ incidentId, by: body.user.id });
  return read.type === 'group'
    ? renderGroupList(read, { ...list, linkTo, tell })
    : renderGroupOutcome(language, tell(read.because, language));
}

function outcomeOf({ tell }: ListenerDeps, requested: DiagnosisRequested, language: Language): Prose {
  switch (requested.type) {
    case 'queued':
      return groupText[language].opened({ workload: workloadName(requested.incident) });
    case 'refused':
      return tell(requested.because, language);
    default:
      return groupText[language]['not-opened']({});
  }
}
