import type { KnownBlock } from '@slack/types';
import type { Tell } from '../../../core/language/catalogue.js';
import type { Language } from '../../../core/language/language.js';
import type { Prose } from '../../../core/language/prose.js';
import type { Plan } from '../../../core/remediation/plan.js';
import type { Review } from '../../../usecases/people/conversation.js';
import { paragraph } from './blocks.js';
import type { Size } from './message.js';
import { reviewText } from './review-text.js';

/** Why the plan cannot be approved: said first, so that nobody reads on for nothing. */
export function dryRunFailure(
  dryRun: Review['dryRun'],
  { language, tell }: { readonly language: Language; readonly tell: Tell },
): Prose | undefined {
  switch (dryRun.type) {
    case 'refused':
    case 'unknown':
      return tell(dryRun.because, language);
    case 'unanswered':
      return reviewText[language]['dry-run-unanswered']({ seconds: dryRun.seconds });
    default:
      return undefined;
  }
}

/** What the API server answered, or that it is being asked. */
export function dryRunBlocks(
  dryRun: Review['dryRun'],
  { afterwards }: Plan,
  language: Language,
  size: Size,
): KnownBlock[] {
  const text = reviewText[language];
  if (dryRun.type !== 'accepted') return [paragraph(text['dry-run-asked']({}), size)];
  const { at, mutated } = dryRun;
  return [
    paragraph(text[afterwards === undefined ? 'dry-run' : 'dry-run-both']({ at }), size),
    ...(mutated.length > 0 ? [paragraph(text.mutated({ paths: mutated }), size)] : []),
  ];
}
