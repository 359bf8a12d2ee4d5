import { type JsonObject, objectAt, textAt, valueAt } from '../json.js';
import { isAllowed } from './access.js';
import { type ApiAnswer, type ApiRequest, objectBody } from './api-request.js';

/** `SelfSubjectAccessReview` and `SelfSubjectRulesReview`: what the asker may do. Nothing is stored. */
export function reviewAccess(request: ApiRequest): ApiAnswer {
  const body = objectBody(request);
  const status =
    request.type.kind === 'SelfSubjectRulesReview' ? rulesStatus(request) : accessStatus(request, body);
  const { kind, group, version } = request.type;
  return {
    status: 201,
    body: { ...body, kind, apiVersion: `${group}/${version}`, metadata: objectAt(body, 'metadata'), status },
  };
}

function accessStatus({ user }: ApiRequest, body: JsonObject): JsonObject {
  const asked = objectAt(body, 'spec', 'resourceAttributes');
  if (valueAt(body, 'spec', 'resourceAttributes') === undefined) return { allowed: true };
  const allowed = isAllowed(user.rules, {
    verb: textAt(asked, 'verb') ?? '',
    group: textAt(asked, 'group') ?? '',
    resource: textAt(asked, 'resource') ?? '',
    subresource: textAt(asked, 'subresource') ?? '',
    namespace: textAt(asked, 'namespace') ?? '',
    name: textAt(asked, 'name') ?? '',
  });
  return { allowed };
}

function rulesStatus({ user }: ApiRequest): JsonObject {
  return {
    resourceRules: user.rules.map(({ verbs, apiGroups, resources, resourceNames }) => ({
      verbs,
      apiGroups,
      resources,
      ...(resourceNames === undefined ? {} : { resourceNames }),
    })),
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['*'] }],
    incomplete: false,
  };
}
