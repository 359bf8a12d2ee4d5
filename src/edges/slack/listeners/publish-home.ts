import { callSlack } from '../call-slack.js';
import { renderHomeFailure } from '../render/home.js';
import type { ListenerDeps } from './deps.js';
import { failureProse } from './guarded.js';

/** Makes somebody's Home page anew; what fails is stated there, since there is no other place. */
export async function publishHome(deps: ListenerDeps, user: string): Promise<void> {
  const language = await deps.people.languageOf(user);
  const { blocks } = await deps.homePage({ user, language }).catch((error: unknown) => {
    const listener = 'events/app-home-opened';
    return renderHomeFailure(failureProse(deps, error, { listener }, language), language);
  });
  const published = await callSlack(() =>
    deps.client.views.publish({ user_id: user, view: { type: 'home', blocks } }),
  );
  if (published.type === 'answered') return;
  const error = 'error' in published ? published.error : published.type;
  deps.log.warn({ error, user }, 'a Home page could not be published');
}

/** After a press on the Home page, or in a modal that it opened: the page then shows what was done. */
export async function publishAfterPress(
  deps: ListenerDeps,
  { user, view }: { user: { readonly id: string }; view?: object | undefined },
): Promise<void> {
  if (view !== undefined) await publishHome(deps, user.id);
}
