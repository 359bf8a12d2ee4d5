import type { Pages } from '../../doctor/incidents/page-links.js';
import type { Tell } from '../../engine/language/catalogue.js';
import type { ReadHome } from '../../service/people/read-home.js';
import type { LinkTo } from './card-link.js';
import type { HomePage } from './listeners/deps.js';
import { renderHome, renderHomeFailure } from './render/home.js';

/** The page of one reader, in their language. */
export function createHomePage({
  tell,
  linkTo,
  pages,
  readHome,
}: {
  readonly tell: Tell;
  readonly linkTo: LinkTo;
  readonly pages: Pages;
  readonly readHome: ReadHome;
}): HomePage {
  return async ({ user, language }) => {
    const home = await readHome({ by: user });
    if (home.type === 'refused') return renderHomeFailure(tell(home.because, language), language);
    return renderHome(home, user, { tell, language, linkTo, pages });
  };
}
