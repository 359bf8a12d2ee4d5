#!/usr/bin/env bash
# The address of the next page of a list, in headers that RFC 8288 allows, read by fetch-link-util 1.1.4 and by
# http-link-header 1.1.4.
# Guess: the same address from each.
# Seen:  fetch-link-util finds one only with quotes, with `rel` first and without a comma in the address. Otherwise the
#        loop of its description ends after the first page, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund fetch-link-util@1.1.4 http-link-header@1.1.4 >/dev/null 2>&1
cat >next.mjs <<'JS'
import { getHeaderLink } from 'fetch-link-util';
import LinkHeader from 'http-link-header';
const links = [
  '</v2/_catalog?last=web>; rel="next"',
  '</v2/_catalog?last=web>; rel=next',
  '</v2/_catalog?last=web,db>; rel="next"',
  '</v2/_catalog?last=web>; title="more"; rel="next"',
];
for (const link of links) {
  console.log(link);
  console.log('  fetch-link-util: ', getHeaderLink(new Headers({ link })));
  console.log('  http-link-header:', LinkHeader.parse(link).rel('next')[0]?.uri);
}
JS
node next.mjs | tee seen
diff seen - <<'OUT'
</v2/_catalog?last=web>; rel="next"
  fetch-link-util:  /v2/_catalog?last=web
  http-link-header: /v2/_catalog?last=web
</v2/_catalog?last=web>; rel=next
  fetch-link-util:  undefined
  http-link-header: /v2/_catalog?last=web
</v2/_catalog?last=web,db>; rel="next"
  fetch-link-util:  undefined
  http-link-header: /v2/_catalog?last=web,db
</v2/_catalog?last=web>; title="more"; rel="next"
  fetch-link-util:  undefined
  http-link-header: /v2/_catalog?last=web
OUT
