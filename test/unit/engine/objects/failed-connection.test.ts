import { describe, expect, it } from 'vitest';
import { failedConnectionIn } from '#src/engine/objects/failed-connection.js';

const service = (name: string, namespace = 'shop') => ({ namespace, name });

describe('the Services that a failed connection names', () => {
  it.each([
    ['dial tcp: lookup postgres on 10.96.0.10:53: no such host', [service('postgres')]],
    ['could not connect to postgres.shop.svc:5432: connection refused', [service('postgres')]],
    ['could not connect to postgres.shop:5432: connection refused', [service('postgres')]],
    ['connect ECONNREFUSED redis.data.svc.cluster.local:6379', [service('redis', 'data')]],
    ['kafka-0.kafka.data.svc.cluster.local:9092 timed out', [service('kafka', 'data')]],
    ['could not translate host name "postgres" to address: Name or service not known', [service('postgres')]],
    [`Can't connect to MySQL server on 'mysql' (111)`, [service('mysql')]],
    ['Error: getaddrinfo ENOTFOUND redis', [service('redis')]],
    ['java.net.UnknownHostException: orders', [service('orders')]],
    ['http://Orders:8080/health: connection refused', [service('orders')]],
    ['amqp://guest@rabbit/ refused', [service('rabbit')]],
    ['connection refused: host=postgres port=5432', [service('postgres')]],
    ['Error 111 connecting to redis:6379. Connection refused.', [service('redis')]],
    ['postgres:5432 refused, postgres.shop.svc:5432 refused', [service('postgres')]],
    ['orders:80 timed out while postgres:5432 refused', [service('orders'), service('postgres')]],
    ['api.example.com:443: connection refused', []],
    ['connected to postgres:5432', []],
    ['2026-11-23T12:30:45Z server error: connection refused', []],
    ['connection refused', []],
    ['-postgres:5432 refused', []],
    [`${'a'.repeat(64)}:5432 refused`, []],
  ])('%s', (line, services) => {
    expect(failedConnectionIn(line, 'shop').services).toEqual(services);
  });

  it('are also named by their address', () => {
    expect(failedConnectionIn('dial tcp 10.96.12.3:5432: connect: connection refused', 'shop')).toEqual({
      services: [],
      addresses: ['10.96.12.3'],
    });
    expect(failedConnectionIn('10.96.12.3:5432 is up', 'shop').addresses).toEqual([]);
  });
});
