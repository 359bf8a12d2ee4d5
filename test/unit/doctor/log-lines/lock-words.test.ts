import { describe, expect, it } from 'vitest';
import { isUnreadyForLeadership, leaseNamedIn, lockWordOf } from '#src/doctor/log-lines/lock-words.js';

describe('the state of a lock in a log line', () => {
  it.each([
    ['not ready: waiting for leadership', 'blocked'],
    ['readyz check failed: not the leader', 'blocked'],
    ['HTTP probe failed with statuscode: 503: standby', 'blocked'],
    ['another instance is holding the data directory', 'blocked'],
    ['Error: database is locked', 'blocked'],
    ['could not acquire lock /data/LOCK: Resource temporarily unavailable', 'blocked'],
    ['failed to obtain node locks', undefined],
    ['unable to acquire leader lease', 'blocked'],
    ['lock is held by web-1-abc', 'blocked'],
    [
      'Another master is the active master, web-1-abc,16000,1794387600001; waiting to become the next active master',
      'blocked',
    ],
    ['waiting for another master node to join', undefined],
    ['I1120 leaderelection.go:257] attempting to acquire leader lease shop/controller...', 'trying'],
    ['successfully acquired lease shop/controller', 'got'],
    ['became leader', 'got'],
    ['listening on :8080', undefined],
    ['unlocked the door, block by block', undefined],
    ['clock skew is 3 ms', undefined],
    ['waiting for database migrations', undefined],
    ['failed to connect to redis', undefined],
    ['could not reach primary database', undefined],
    ['etcdserver: no leader', undefined],
    ['I am no longer the leader', 'blocked'],
    ['{"logger":"leader","msg":"Found existing lock","LockOwner":"web-1-abc"}', 'blocked'],
    ['block owners were found', undefined],
    ['', undefined],
  ])('is read from %s: %s', (line, word) => {
    expect(lockWordOf(line)).toBe(word);
  });

  it('is searched only at the beginning of a long line', () => {
    expect(lockWordOf(`${'x '.repeat(400)}waiting for leader`)).toBeUndefined();
  });
});

describe('the reason for not being ready in a log line', () => {
  it.each([
    ['not ready: waiting for leadership', true],
    ['E1120 server.go:88] Not yet ready - still waiting to become the leader', true],
    ['Readiness probe failed: not the leader (leader is web-1)', true],
    ['Readiness probe failed: standby', true],
    ['not the leader, so not ready', true],
    ['standby: not ready', true],
    ['unready because another instance holds the lease', true],
    ['readiness check failed: another pod is active', true],
    ['not ready: flag --peers is missing (standby)', false],
    ['not ready: waiting for database, leader is web-1', false],
    ['not ready: waiting for changelog lock', false],
    ['not ready', false],
    ['waiting for leadership', false],
    ['attempting to acquire leader lease shop/web...', false],
    ['ready: I am the leader', false],
    [`${'x '.repeat(400)}not ready: waiting for leadership`, false],
  ])('is read from %s: %s', (line, expected) => {
    expect(isUnreadyForLeadership(line)).toBe(expected);
  });
});

describe('the name of a lease in a log line', () => {
  it.each([
    ['attempting to acquire leader lease shop/controller...', { namespace: 'shop', name: 'controller' }],
    ['attempting to acquire leader lease  shop/my.lock', { namespace: 'shop', name: 'my.lock' }],
    ['acquiring lease "shop/my.lock.example.com"', { namespace: 'shop', name: 'my.lock.example.com' }],
    ['failed to renew lease kube-system/x: timed out', { namespace: 'kube-system', name: 'x' }],
    ['release notes/2', undefined],
    ['waiting for leadership', undefined],
  ])('%s', (line, lease) => {
    expect(leaseNamedIn(line)).toEqual(lease);
  });
});
