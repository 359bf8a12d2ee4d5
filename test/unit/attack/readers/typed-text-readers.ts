import { cleanText } from '#src/doctor/commands/clean-text.js';
import { parseCommand } from '#src/doctor/commands/parse-command.js';
import { usageText } from '#src/doctor/commands/usage-text.js';
import { matchesName } from '#src/doctor/policy/weekly-windows.js';
import { workloadArgument } from '#src/edges/cli/shared-options.js';
import { RemediationValue, UndoValue, WorkloadValue } from '#src/edges/slack/render/action-ids.js';
import { languageOfBrowser, languageOfLocale } from '#src/engine/language/language.js';
import { type Prose, plain } from '#src/engine/language/prose.js';
import { explainSchedulerText } from '#src/engine/messages/explain-scheduler-message.js';
import { parseSchedulerMessage } from '#src/engine/messages/parse-scheduler-message.js';
import type { ForeignTextReader } from './foreign-text-reader.js';

const commandWords = [
  'diagnose ',
  'ml/inference',
  '-n ml',
  '--namespace=',
  '—namespace ml',
  '"—n',
  'silence a 2h ',
];
const pasted = [
  'kubectl rollout status ',
  ' -o json',
  ' --timeout=',
  '<https://a|b>',
  '<@U1|a>',
  '<@U1|',
  '&amp;lt;',
];

const schedulerWords = [
  '0/3 nodes are available: ',
  'nodes are available',
  '3 Insufficient cpu, ',
  "1 node(s) had untolerated taint {a: b}, that the pod didn't tolerate, ",
  'preemption: 0/3 nodes are available: ',
  "didn't trigger scale-up: ",
  'Failed to schedule pod, incompatible with nodepool "a", ',
  'No nodes are available that match all of the predicates: a (1), ',
  '1 node(s) ',
  ' ...',
  '. ',
];

export const typedTextReaders: readonly ForeignTextReader[] = [
  { name: 'cleanText', words: [...commandWords, ...pasted], run: cleanText },
  ...[
    '',
    'diagnose ',
    'explain ',
    'scan ',
    'history ',
    'audit ',
    'silence ',
    'unsilence ',
    'kubectl get ',
  ].map(
    (verb): ForeignTextReader => ({
      name: `the command "${verb}"`,
      words: [...commandWords, ...pasted],
      run: (text) => {
        const command = parseCommand(`${verb}${text}`);
        if (command.type !== 'usage') return;
        const tell = usageText.ko[command.problem.key] as (values: unknown) => Prose;
        plain(tell(command.problem.values));
      },
    }),
  ),
  {
    name: 'the workload of the command line',
    words: commandWords,
    run: (text) => workloadArgument(text.split(' '), text),
    mayThrow: true,
  },
  { name: 'explainSchedulerText', words: schedulerWords, run: explainSchedulerText },
  { name: 'parseSchedulerMessage', words: schedulerWords, run: parseSchedulerMessage },
  { name: 'languageOfBrowser', words: ['ko-KR,ko;q=0.9', 'en-US', ';q=0.1'], run: languageOfBrowser },
  { name: 'languageOfLocale', words: ['ko-KR', 'en-US'], run: languageOfLocale },
  {
    name: 'matchesName',
    words: ['*a*', 'team-'],
    run: (text) => [matchesName(text, text), matchesName('*a*b*', text)],
  },
  {
    name: 'values of buttons',
    words: ['i1.', '["prod","Deployment","ml","inference"]', '[['],
    run: (text) => [RemediationValue, UndoValue, WorkloadValue].map((schema) => schema.safeParse(text)),
  },
];
