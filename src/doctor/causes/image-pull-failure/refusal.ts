/** Why a registry, or the way to it, does not give an image. */
export const pullRefusals = [
  'not-found',
  'not-authorised',
  'rate-limited',
  'no-tls',
  'tls',
  'name-not-resolved',
  'unreachable',
  'registry-error',
  'no-answer',
  'architecture',
  'invalid-name',
  'never-pull',
  'not-for-this-pod',
  'no-space',
  'other-content',
  'unknown',
] as const;
export type PullRefusal = (typeof pullRefusals)[number];

/**
 * What the messages of containerd, CRI-O and registries show, most specific first. Registries answer "denied"
 * or "authorization failed" for an image that does not exist as well when the caller is anonymous, so that
 * this is said of credentials and of existence together.
 */
const signs: readonly (readonly [PullRefusal, RegExp])[] = [
  ['rate-limited', /toomanyrequests|too many requests|\b429\b|rate ?limit/i],
  [
    'architecture',
    /no match for platform|no matching manifest|no image found in (?:manifest|image index)|exec format error/i,
  ],
  // What Go's client says of an answer that is not TLS (`net/http`, `crypto/tls`).
  ['no-tls', /server gave HTTP response to HTTPS client|first record does not look like a TLS handshake/i],
  ['tls', /x509:|tls: |certificate (?:signed by|has expired|is not)/i],
  [
    'invalid-name',
    /invalid reference format|invalid image name|(?:failed to|could(?: not|n't)) parse (?:image )?(?:reference|name)/i,
  ],
  ['no-space', /no space left on device|disk quota exceeded/i],
  // containerd `content/local/writer.go`, containers/image `copy` and `docker/docker_image_src.go`, moby.
  [
    'other-content',
    /unexpected commit (?:digest|size)|digest did not match|does not match (?:the )?(?:expected )?digest|verification failed for digest|\bdigest mismatch\b/i,
  ],
  [
    'not-authorised',
    /unauthorized|authentication required|authorization failed|access (?:to the resource is )?denied|requested access|no basic auth credentials|insufficient_scope|\b40[13]\b|denied:/i,
  ],
  // The registry answers, so the way to it is open: `status code [manifests 1]: 500 …`,
  // `unexpected status from HEAD request …: 503 …`.
  [
    'registry-error',
    /\bstatus\b.{0,120}\b5\d\d\b|\b5\d\d (?:internal server error|bad gateway|service unavailable|gateway time-?out)/i,
  ],
  ['not-found', /not found|manifest unknown|name unknown|repository does not exist|\b404\b|NotFound/i],
  ['name-not-resolved', /no such host|server misbehaving|Temporary failure in name resolution/i],
  [
    'unreachable',
    /connection refused|i\/o timeout|context deadline exceeded|network is unreachable|no route to host|connection reset|TLS handshake timeout|\bEOF\b/i,
  ],
];

/**
 * @param reason the container's waiting reason, or that of the event of a pull without an end
 * @param messages of that state and of its `Failed` events, any order; cut before they are searched, so that
 *   a long answer costs no time
 * @param image what was asked for: tags like `401` and names like `denied` are no answers
 */
export function pullRefusalOf(reason: string, messages: readonly string[], image = ''): PullRefusal {
  if (reason === 'InvalidImageName') return 'invalid-name';
  if (reason === 'ErrImageNeverPull') return 'never-pull';
  if (reason === 'Pulling') return 'no-answer';
  const texts = messages.map((message) => withoutNames(message.slice(0, 4096), image));
  return signs.find(([, sign]) => texts.some((text) => sign.test(text)))?.[0] ?? 'unknown';
}

/** The message without the image's name and the address that asks for it. */
function withoutNames(message: string, image: string): string {
  const named = [image, repositoryOf(image)]
    .filter((name) => name !== '')
    .reduce((text, name) => text.replaceAll(name, ' '), message);
  return named.replace(/https?:\/\/[^\s"]+/g, ' ');
}

/** The image without its tag and digest, as registries name it. */
function repositoryOf(image: string): string {
  const [name = ''] = image.split('@', 1);
  const tag = name.indexOf(':', name.lastIndexOf('/') + 1);
  return tag === -1 ? name : name.slice(0, tag);
}
