#!/usr/bin/env bash
# A menu with groups of options, built by slack-block-kit 0.9.15 as in its own example: the groups are made by `optionGroups([...])` and given
# as the option `optionGroups` of `multiStaticSelect`. The groups given as a list serve as the comparison.
# Guess: `option_groups` is a list of groups in both cases, as Slack requires.
# Seen:  with the function of the example `option_groups` is an object that holds the list under the same name once more. None of the checks
#        of the library reports it. Only the list itself gives the form of Slack.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund slack-block-kit@0.9.15 >/dev/null 2>&1
cat >menu.js <<'JS'
const { element, object } = require('slack-block-kit');
const groups = [object.optionGroup('shop', [object.option('web', 'shop/web')])];
for (const [name, optionGroups] of [['example', object.optionGroups(groups)], ['list', groups]]) {
  const menu = element.multiStaticSelect('workloads', 'Select workloads', null, { optionGroups });
  const form = (value) => (Array.isArray(value) ? `a list of ${value.length}` : `an object with ${Object.keys(value)}`);
  console.log(`${name}: option_groups is ${form(menu.option_groups)}`);
}
JS
node menu.js | tee seen
diff seen - <<'OUT'
example: option_groups is an object with option_groups
list: option_groups is a list of 1
OUT
