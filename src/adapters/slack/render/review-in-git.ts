import type { KnownBlock } from '@slack/types';
import { snippetOf } from '../../../core/git-change/snippet.js';
import { valueNotes } from '../../../core/git-change/value-notes.js';
import type { Language } from '../../../core/language/language.js';
import type { Review } from '../../../usecases/people/conversation.js';
import { paragraph, preformatted } from './blocks.js';
import type { Size } from './message.js';
import { pullRequestWords } from './pull-request-words.js';

/**
 * The edit of the repository, in place of the API server's dry run; `undefined` for a change of the cluster.
 */
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
    ...valueNotes(edit, language).map((note) => paragraph(note, size)),
    paragraph(words.checked({ at }), size),
  ];
}

const maxSnippet = 2_500;

/** The fields to place in the manifest by hand, ready to copy. */
export function byHandBlocks(snippet: string, language: Language, size: Size): KnownBlock[] {
  return [paragraph(pullRequestWords[language]['by-hand']({}), size), preformatted(snippet, maxSnippet)];
}

/** The same after a tree was refused that a person can still edit. */
export function byHandOf(
  { gitTarget, plan }: Review['approval'],
  dryRun: Review['dryRun'],
  language: Language,
  size: Size,
): KnownBlock[] {
  const refused = gitTarget !== undefined && dryRun.type === 'refused' ? dryRun : undefined;
  const snippet = refused?.byHand === true ? (refused.snippet ?? snippetOf(plan)) : undefined;
  return snippet === undefined ? [] : byHandBlocks(snippet, language, size);
}
