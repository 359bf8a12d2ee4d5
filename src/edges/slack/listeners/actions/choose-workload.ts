import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { callSlack } from '../../call-slack.js';
import { actionIds, WorkloadValue } from '../../render/action-ids.js';
import { queryName, renderDiagnosing } from '../../render/answers.js';
import type { ListenerDeps } from '../deps.js';
import { diagnose } from '../diagnose.js';
import { guarded } from '../guarded.js';
import { languageSoon } from '../language-soon.js';
import { askerOf, buttonValue } from './press.js';

/** One of several names was meant: the choices give way to the diagnosis. */
export function register(app: App, deps: ListenerDeps): void {
  app.action<BlockAction<ButtonAction>>(
    new RegExp(`^${actionIds.chooseWorkload.replace('.', '\\.')}\\.\\d+$`),
    async ({ ack, ...press }) => {
      await ack();
      const asker = askerOf(deps, press);
      const { user } = asker;
      await guarded(deps, asker, { listener: 'actions/choose-workload' }, async () => {
        const query = await buttonValue(deps, press, WorkloadValue);
        if (query === undefined) return;
        if (await deps.seenBefore(`action.${press.body.trigger_id}`)) return;
        const message = renderDiagnosing(query, await languageSoon(deps, user));
        await callSlack(() => press.respond({ replace_original: true, ...message }));
        await diagnose(deps, asker, query, { via: 'command', text: queryName(query) });
      });
    },
  );
}
