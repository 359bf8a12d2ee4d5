/**
 * Why a cloud gives no node. A kind is what the reasons of several clouds mean; `other` is a reason of no
 * known kind, which is quoted all the same.
 */
export const cloudRefusalKinds = [
  'addresses',
  'quota',
  'unauthorised',
  'stock-out',
  'unsupported',
  'other',
] as const;
export type CloudRefusalKind = (typeof cloudRefusalKinds)[number];

/** A reason that is longer is cut. */
const searched = 4000;

/**
 * The first row that matches decides: an address or a quota that is used up is often called a lack of
 * capacity too. Codes are those of EC2, Compute Engine and Azure Compute; words are what cluster-autoscaler
 * and Karpenter make of them.
 */
const rows: readonly { readonly kind: CloudRefusalKind; readonly says: RegExp }[] = [
  {
    kind: 'addresses',
    says: /InsufficientFreeAddresses|enough free addresses|IP[_ ]SPACE[_ ]EXHAUSTED|IP space of|SubnetIsFull|enough capacity for \d{1,9} IP/iu,
  },
  {
    kind: 'unauthorised',
    says: /Unauthori[sz]ed|AccessDenied|not authori[sz]ed|does not have authori[sz]ation|AuthorizationFailed|AuthFailure|PERMISSION(?:S_ERROR|_DENIED)|Required '[\w.]{1,128}' permission|InvalidAuthenticationToken|ExpiredToken|credential[\w ]{0,40}expired|secret keys[^.]{0,80}expired|\b40[13]\b[: ]/iu,
  },
  {
    kind: 'quota',
    says: /quota|(?:vCPU|Instance|SpotInstance|Volume|VolumeType)\w{0,12}LimitExceeded|Max\w{0,24}CountExceeded|more vCPU capacity than your current|LimitExceeded|exceeding (?:approved|your) /iu,
  },
  {
    kind: 'unsupported',
    says: /\bUnsupported\b|(?:is|are) not supported in|Machine type [^:]{0,200} does not exist|invalid machine type|VMSizeNotSupported|size [^:]{0,120}not supported|InvalidParameter/iu,
  },
  {
    kind: 'stock-out',
    says: /Insufficient\w{0,16}Capacity|insufficient capacity|sufficient [\w.-]{0,40} ?capacity|RESOURCE_POOL_EXHAUSTED|enough resources available|out of resources|stock-?out|UnfulfillableCapacity|capacity available|AllocationFailed|AllocationFailure|Overconstrained|SkuNotAvailable|Capacity Restriction|not available in location|instance types were unavailable|sufficient capacity/iu,
  },
];

export function cloudRefusalKindOf(reason: string): CloudRefusalKind {
  const text = reason.slice(0, searched);
  return rows.find(({ says }) => says.test(text))?.kind ?? 'other';
}
