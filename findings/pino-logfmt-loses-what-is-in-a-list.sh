#!/usr/bin/env bash
# A line about two containers in pino-logfmt 1.1.4, with `--flatten-nested`, "flatten nested metadata": one field holds an object, one holds a
# list of objects, and one holds null.
# Guess: the fields of the list as those of the object, with the number in the list in the name, and a field for null.
# Seen:  only objects are flattened. Each container of the list becomes `[object Object]`, so neither names nor reasons can be found, and the
#        field with null is missing, although without the option it is an empty field.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund pino-logfmt@1.1.4 >/dev/null 2>&1
cat >line <<'LINE'
{"level":30,"msg":"stuck","target":{"name":"web"},"containers":[{"name":"web","reason":"BackOff"},{"name":"log"}],"exitCode":null}
LINE
for option in '' --flatten-nested; do
  # shellcheck disable=SC2086
  npx pino-logfmt $option <line
done | tee seen
diff seen - <<'OUT'
level=30 msg=stuck target="[object Object]" containers="[object Object],[object Object]" exitCode=
level=30 msg=stuck target_name=web containers="[object Object],[object Object]"
OUT
