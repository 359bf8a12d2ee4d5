import type { SecretKind, Span } from './span.js';

interface Shape {
  readonly kind: SecretKind;
  /** The issuer's prefix and alphabet; shorter than issued, since a log may cut a token off. */
  readonly pattern: RegExp;
}

function token(...patterns: readonly RegExp[]): Shape[] {
  return patterns.map((pattern) => ({ kind: 'token', pattern }));
}

function key(...patterns: readonly RegExp[]): Shape[] {
  return patterns.map((pattern) => ({ kind: 'key', pattern }));
}

/**
 * Shapes of tokens and keys that are recognised without a name beside them, in the forms their issuers publish. Each starts
 * with a fixed prefix (or a short run of fixed length) and ends with one class of characters, so that matching costs a
 * bounded number of steps a character.
 */
const shapes: readonly Shape[] = [
  // Amazon: access key ids, temporary session tokens, Bedrock keys
  ...key(/(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Z0-9])/u, /ABSK[A-Za-z0-9+/]{60,}={0,2}/u),
  ...token(
    /(?:IQoJb3JpZ2lu|FwoGZXIvYXdzE|FQoGZXIvYXdzE)[A-Za-z0-9+/=]{8,}/u,
    /bedrock-api-key-[A-Za-z0-9+/=]{16,}/u,
  ),
  // Google: API keys, OAuth access and refresh tokens and client secrets
  ...key(/AIza[\w-]{30,}/u),
  ...token(/ya29\.[\w.-]{16,}/u, /1\/\/0[\w-]{20,}/u, /GOCSPX-[\w-]{16,}/u),
  // Microsoft: Entra client secrets, storage and Cosmos DB keys (64 bytes, not npm's integrity digests)
  ...token(/[\w~.]{3}\dQ~[\w~.-]{28,40}/u),
  ...key(/(?<!sha512-|[A-Za-z0-9+/])[A-Za-z0-9+/]{86}==/u),
  // Code hosting
  ...token(
    /gh[opusr]_[A-Za-z0-9._-]{16,}/u,
    /github_pat_\w{16,}/u,
    /gl(?:pat|dt|rt|rtr|wt|cbt|ptt|ft|ffct|imt|agent|oas|soat)-[\w.-]{16,}/u,
    /GR1348941[\w-]{16,}/u,
    /AT(?:ATT|CTT)3[\w=-]{16,}/u,
    /ATBB[A-Za-z0-9]{20,}/u,
    /sgp_[A-Za-z0-9_]{20,}/u,
  ),
  // Slack, Discord, Teams, Telegram
  ...token(
    /xox[a-z](?:\.xox[a-z])?-[\w-]{8,}/u,
    /(?:xapp-\d{1,2}|xwfp)-[\w-]{8,}/u,
    /hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/[\w/+-]{8,}/u,
    /(?:canary\.|ptb\.)?discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{8,24}\/[\w-]{16,}/u,
    /(?:webhook\.office\.com\/webhookb2|outlook\.office\.com\/webhook)\/[\w@/-]{16,}/u,
    /\d{8,16}:A[\w-]{33,}/u,
  ),
  // Payment and shops
  ...key(
    /(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{8,}/u,
    /FLWSECK(?:_TEST)?-[\w-]{12,}/u,
    /EZ[AT]K[A-Za-z0-9]{50,}/u,
    /shippo_(?:live|test)_[A-Za-z0-9]{16,}/u,
    /duffel_(?:live|test)_[\w=-]{16,}/u,
  ),
  ...token(
    /whsec_[A-Za-z0-9+/=]{16,}/u,
    /shp(?:at|ca|pa|ss)_[A-Za-z0-9]{16,}/u,
    /sq0(?:atp|csp)-[\w-]{16,}/u,
  ),
  ...token(/EAAA[\w-]{22,}/u, /EAA[A-Za-z0-9]{90,}/u),
  // Language models
  ...key(
    /sk-(?:proj|svcacct|admin|ant|or|live|test)-[\w-]{16,}/u,
    /sk-[A-Za-z0-9]{20,}/u,
    /gsk_[A-Za-z0-9]{20,}/u,
    /pplx-[A-Za-z0-9]{20,}/u,
    /xai-[A-Za-z0-9]{40,}/u,
  ),
  ...token(/(?:hf|api_org)_[A-Za-z]{20,}/u, /r8_[A-Za-z0-9]{20,}/u),
  // Package registries and images
  ...token(
    /npm_[A-Za-z0-9]{16,}/u,
    /pypi-[\w-]{32,}/u,
    /rubygems_[a-f0-9]{20,}/u,
    /CLOJARS_[A-Za-z0-9]{30,}/u,
    /dckr_[op]at_[\w-]{16,}/u,
    /AKCp[A-Za-z0-9]{40,}/u,
    /cmVmd[A-Za-z0-9]{40,}/u,
  ),
  // Clouds, platforms and infrastructure
  ...token(
    /do[opr]_v1_[a-f0-9]{20,}/u,
    /hv[sbr]\.[\w-]{16,}/u,
    /s\.(?=[A-Za-z]{0,23}\d)[A-Za-z0-9]{24}(?![\w-])/u,
    /dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{16,}/u,
    /[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{16,}/u,
    /dapi[a-f0-9]{32}/u,
    /pul-[a-f0-9]{20,}/u,
    /sha256~[\w-]{30,}/u,
    /pscale_(?:tkn|oauth|pw)_[\w=.-]{16,}/u,
    /sbp_[a-f0-9]{20,}/u,
    /(?:fo1|fm1[ar]?|fm2)_[\w+/=-]{30,}/u,
    /HRKU-[A-Za-z0-9_-]{30,}/u,
    /v1\.0-[a-f0-9]{24}-[a-f0-9]{30,}/u,
    /nfp_[A-Za-z0-9]{20,}/u,
    /tskey-[a-z]{2,10}-[A-Za-z0-9-]{10,}/u,
    /pnu_[A-Za-z0-9]{20,}/u,
    /tk-us-[\w-]{30,}/u,
  ),
  ...key(
    /LTAI[A-Za-z0-9]{16,}/u,
    /AKID[A-Za-z0-9]{28,}/u,
    /4b1d[A-Za-z0-9]{38}(?![A-Za-z0-9])/u,
    /ico-[A-Za-z0-9]{32}/u,
    /API-[A-Z0-9]{26}/u,
  ),
  // Observability
  ...token(
    /glsa_[A-Za-z0-9_]{20,}/u,
    /glc_[A-Za-z0-9+/=]{20,}/u,
    /dt0[a-z]\d{2}\.[A-Za-z0-9.]{20,}/u,
    /sntry[su]_[A-Za-z0-9+/=_]{20,}/u,
    /ph[cx]_[A-Za-z0-9]{30,}/u,
  ),
  ...key(/NRAK-[A-Za-z0-9]{16,}/u, /NR(?:II|JS|RA|IQ)-[A-Za-z0-9_-]{16,}/u),
  // Mail, chat and the rest
  ...key(
    /SG\.[\w-]{12,64}\.[\w-]{12,}/u,
    /xkeysib-[a-f0-9]{20,128}-[A-Za-z0-9]{8,}/u,
    /key-[a-f0-9]{32}/u,
    /SK[A-Fa-f0-9]{32}/u,
    /PMAK-[a-f0-9]{20,64}-[a-f0-9]{20,}/u,
    /A3-[A-Z0-9]{6}-[A-Z0-9-]{20,}/u,
    /AGE-SECRET-KEY-1[A-Z0-9]{20,}/u,
    /[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk/u,
  ),
  ...token(
    /lin_(?:api|oauth)_[A-Za-z0-9]{16,}/u,
    /ntn_[A-Za-z0-9]{20,}/u,
    /secret_[A-Za-z0-9]{43}/u,
    /pat[A-Za-z0-9]{14}\.[a-f0-9]{30,}/u,
    /(?:pat|sat)\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}/u,
    /ops_eyJ[A-Za-z0-9+/=]{20,}/u,
    /(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][\w.+/=-]{30,}/u,
    /p8e-[A-Za-z0-9]{32}/u,
    /rdme_[a-z0-9]{30,}/u,
    /fio-u-[\w=-]{30,}/u,
    /sm_[aps]at_[A-Za-z0-9]{16}/u,
    /s-s4t2(?:ud|af)-[a-f0-9]{30,}/u,
    /\d{15,16}(?:\||%7C)[\w-]{27,40}/u,
    /access-(?:sandbox|development|production)-[a-f0-9-]{36}/u,
    /[a-f0-9]{32}-us\d{1,2}(?![\w-])/u,
    /sl\.[\w-]{60,}/u,
    /A{19,23}[\w%]{30,}/u,
    /t1\.[\w-]{40,}/u,
    /AQVN[\w-]{30,}/u,
  ),
  // JSON Web Tokens and other base64url JSON, cut off or not (RFC 7519)
  ...token(/eyJ[\w-]{12,}(?:\.[\w-]{1,4096}){0,4}/u),
];

/** At the start of a word, or behind a line break written as `\n`, or behind a percent-encoded character. */
const boundary = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2}))`;
const anyShape = new RegExp(
  `${boundary}(?:${shapes.map(({ pattern }) => `(${pattern.source})`).join('|')})`,
  'gu',
);

/** Tokens and keys whose issuer gave them a shape of their own, wherever they stand. */
export function tokenShapes(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (const found of text.matchAll(anyShape)) {
    const shape = shapes[found.findIndex((group, i) => i > 0 && group !== undefined) - 1];
    if (shape !== undefined)
      spans.push({ start: found.index, end: found.index + found[0].length, kind: shape.kind });
  }
  return spans;
}
