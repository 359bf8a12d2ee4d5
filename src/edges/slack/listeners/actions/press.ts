import type { BlockAction, ButtonAction, RespondFn } from '@slack/bolt';
import type { z } from 'zod';
import { callSlack } from '../../call-slack.js';
import { sendWithTable } from '../../plain-message.js';
import { json, SearchMetadata } from '../../render/action-ids.js';
import { answersText } from '../../render/answers.js';
import { renderNotice } from '../../render/blocks.js';
import { type Asker, answered, askerByResponse, askerByView } from '../asker.js';
import type { ListenerDeps } from '../deps.js';

/** A pressed button as all action listeners see it. */
export interface Press {
  readonly body: BlockAction<ButtonAction>;
  readonly action: ButtonAction;
  readonly respond: RespondFn;
}

/** Anything that people press or choose. */
type AnyPress = Pick<Press, 'respond'> & { readonly body: BlockAction };

/** Who pressed, and how to answer only them: in the thread of the message if it is in one, or in the view. */
export function askerOf({ client, people }: ListenerDeps, { body, respond }: AnyPress): Asker {
  const { view } = body;
  if (view !== undefined) {
    const user = body.user.id;
    return askerByView(
      {
        user,
        language: people.cachedLanguage(user),
        triggerId: body.trigger_id,
        modalId: view.type === 'modal' ? view.id : undefined,
        channel: SearchMetadata.safeParse(json(view.private_metadata)).data?.channel ?? '',
      },
      client,
    );
  }
  const container: { readonly thread_ts?: unknown; readonly channel_id?: unknown } = body.container;
  const channel = body.channel?.id ?? container.channel_id;
  const threadTs = container.thread_ts;
  return askerByResponse(
    {
      user: body.user.id,
      channel: typeof channel === 'string' ? channel : '',
      threadTs: typeof threadTs === 'string' ? threadTs : undefined,
    },
    respond,
  );
}

/** Answers like `askerOf`, but the first answer takes the place of the message that was pressed. */
export function askerInPlace(deps: ListenerDeps, press: AnyPress): Asker {
  const asker = askerOf(deps, press);
  if (press.body.view !== undefined) return asker;
  let replaced = false;
  return {
    ...asker,
    async answer(message) {
      if (replaced) return asker.answer(message);
      replaced = true;
      const answered = await callSlack(() =>
        sendWithTable(message, (each) => press.respond({ replace_original: true, ...each })),
      );
      if (answered.type !== 'answered') await asker.answer(message);
    },
  };
}

/** The button's value, or undefined after telling the presser that it is none of ours. */
export async function buttonValue<Schema extends z.ZodType>(
  deps: ListenerDeps,
  press: Press,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  const parsed = schema.safeParse(press.action.value);
  if (parsed.success) return parsed.data;
  await refuse(deps, askerOf(deps, press), press.action.action_id, 'a button value was refused');
  return undefined;
}

/** Tells privately that a press means nothing to us, and logs it. */
export async function refuse(
  { log, people }: ListenerDeps,
  asker: Asker,
  actionId: string,
  message: string,
): Promise<void> {
  log.warn({ actionId: actionId.slice(0, 100), user: asker.user, channel: asker.channel }, message);
  await answered(asker, renderNotice(answersText[people.cachedLanguage(asker.user)]['unknown-button']()));
}
