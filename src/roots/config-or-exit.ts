import { ContextUnknown, connectClusters } from '../edges/kubernetes/cluster-connection.js';
import { languageOfEnvironment } from '../engine/language/language.js';
import { nearestName } from '../engine/language/nearest-name.js';
import { type SettingProblem, settingProblem } from '../service/inspect/setting-problem.js';
import { type Config, describeProblems, type Loaded, loadConfig } from '../settings/config.js';
import { variables } from '../settings/config-variables.js';
import { type Environment, givenValue } from '../settings/environment.js';

const usageStatus = 2;

/** The configuration, or every problem on standard error and exit status 2. */
export function loadConfigOrExit(env: Environment, role: 'app' | 'worker'): Config {
  const loaded = loadConfig(env, role);
  const problems = [...(loaded.type === 'invalid' ? loaded.problems : []), ...clusterProblems(env, loaded)];
  if (loaded.type === 'config' && problems.length === 0) return loaded.config;
  return exitWithProblems(problems);
}

/**
 * Reports wrong settings on standard error, in the language of the environment, and ends the process with
 * status 2.
 */
export function exitWithProblems(problems: readonly SettingProblem[]): never {
  process.stderr.write(`${describeProblems(problems, languageOfEnvironment(process.env))}\n`);
  process.exit(usageStatus);
}

/** What keeps the kubeconfig from naming the clusters; other settings may be wrong at the same time. */
function clusterProblems(env: Environment, loaded: Loaded): readonly SettingProblem[] {
  const given = (key: 'clusterAccess' | 'clusterName') => givenValue(env, variables[key].name);
  if (given('clusterAccess') === 'workers' && given('clusterName') === undefined) return [];
  const kubeconfig =
    loaded.type === 'config' ? loaded.config.kubeconfig : givenValue(env, variables.kubeconfig.name);
  const contexts =
    loaded.type === 'config'
      ? loaded.config.clusters
      : variables.clusters.schema.parse(givenValue(env, variables.clusters.name));
  try {
    const connections = connectClusters({ kubeconfig, contexts });
    return connections.length > 0 ? [] : [settingProblem(variables.kubeconfig.name, 'kubeconfig-empty', {})];
  } catch (error) {
    if (error instanceof ContextUnknown) {
      const { context, known } = error;
      const nearest = nearestName(context, known);
      return [settingProblem(variables.clusters.name, 'context-unknown', { context, nearest, known })];
    }
    const problem = error instanceof Error ? error.message : String(error);
    return [settingProblem(variables.kubeconfig.name, 'kubeconfig-unusable', { problem })];
  }
}
