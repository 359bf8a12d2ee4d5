import type { KnownBlock } from '@slack/types';
import type { Language } from '../../../core/language/language.js';
import type { Review } from '../../../usecases/people/conversation.js';
import { paragraph, preformatted } from './blocks.js';
import type { Size } from './message.js';
import { pullRequestWords } from './pull-request-words.js';

/** The edit of the repository, in place of the API server's dry run; `undefined` for a change of the cluster. */
export function gitBlocks(
  { approval, dryRun }: Pick<Review, 'approval' | 'dryRun'>,
  language: Language,
  size: Size,
  maxDiff: number,
): KnownBlock[] | undefined {
  const { gitTarget } = approval;
  if (gitTarget === undefined) return undefined;
  const words = pullRequestWords[language];
  if (dryRun.type !== 'accepted') {
    return [paragraph(words.reading({ repository: gitTarget.repository }), size)];
  }
  const { edit, at } = dryRun;
  if (edit === undefined) return [];
  const { file, line, diff, place = gitTarget } = edit;
  const { repository, branch } = place;
  return [
    paragraph(words.edit({ repository, branch, file, line }), size),
    preformatted(diff.join('\n'), maxDiff),
    paragraph(words.checked({ at }), size),
  ];
}
