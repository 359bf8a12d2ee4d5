import { type ServerVersion, serverVersionIn } from '../../core/cluster/server-version.js';
import { dependsOnVersion } from '../../core/rollout/max-unavailable-rule.js';
import { type ApiCall, unanswered, unreadable } from './api-call.js';
import type { Gathering } from './gathering.js';

/**
 * The version of the API server, where a StatefulSet among the objects is updated by rules that depend on it.
 * Everybody who is authenticated may read it (ClusterRole `system:public-info-viewer`). `undefined` where it
 * is not needed or could not be read, which is noted as unseen: then all rules may apply.
 */
export async function readServerVersion(
  call: ApiCall,
  gathering: Pick<Gathering, 'objects' | 'miss'>,
  signal: AbortSignal,
): Promise<ServerVersion | undefined> {
  if (!gathering.objects().StatefulSet.some(dependsOnVersion)) return undefined;
  try {
    const answer = await call({ path: '/version', signal });
    const version = answer.status === 200 ? serverVersionIn(answer.body) : undefined;
    if (version === undefined) gathering.miss('ServerVersion', '', unreadable(answer));
    return version;
  } catch (error) {
    gathering.miss('ServerVersion', '', unanswered(error));
    return undefined;
  }
}
