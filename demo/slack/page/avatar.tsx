import type { Author } from './author.js';

/** A picture made of initials; the name stands beside it in words. */
export function Avatar({ author, small = false }: { author: Author; small?: boolean }) {
  return (
    <span
      className={`avatar avatar-${author.colour}${author.isApp ? ' avatar-app' : ''}${small ? ' avatar-small' : ''}`}
      aria-hidden="true"
    >
      {author.initials}
    </span>
  );
}
