import { describe, expect, it } from 'vitest';
import { listeningPortsIn, reportsServer } from '#src/doctor/log-lines/listening-port.js';

describe('the port on which a program listens, in its log', () => {
  it.each([
    ['[2026-11-20 09:28:50 +0000] [1] [INFO] Listening at: http://0.0.0.0:9090 (1)', 9090],
    ['INFO:     Uvicorn running on http://0.0.0.0:8000 (Press CTRL+C to quit)', 8000],
    ['o.s.b.w.embedded.tomcat.TomcatWebServer : Tomcat started on port(s): 8081 (http)', 8081],
    ['Tomcat started on port 8081 (http) with context path', 8081],
    ['      Now listening on: http://[::]:8080', 8080],
    ['level=info msg="Listening on" address=[::]:9093', 9093],
    ['* Ready to accept connections on port 6379', 6379],
    ['09:28:50 server listening on 10.2.3.4:80', 80],
    ['time="2026-11-20T08:46:10Z" level=info msg="started HTTP server" address="0.0.0.0:8000"', 8000],
    ['{"level":"info","msg":"Serving metrics server","bindAddress":":8080"}', 8080],
  ])('is read: %s', (line, port) => {
    expect(listeningPortsIn([line]).map((each) => each.port)).toEqual([port]);
  });

  it.each([
    'listening since 09:28:50',
    'failed to listen on 0.0.0.0:80: permission denied',
    'listen tcp :8080: bind: address already in use',
    'connected to db:5432',
    'running 3 jobs',
    'started HTTP client for http://db:5432',
    '',
  ])('is none: %s', (line) => {
    expect(listeningPortsIn([line])).toEqual([]);
  });
});

describe('a line that reports an open port', () => {
  it.each([
    '2026-11-20T08:46:10.600Z\tINFO\tcontroller-runtime.manager\tstarting metrics server\t{"path": "/metrics"}',
    'Started health probe server',
    'Listening on :8080',
  ])('is %s', (line) => {
    expect(reportsServer(line)).toBe(true);
  });

  it.each([
    'failed to start metrics server: address already in use',
    'starting worker for queue metrics',
    'waiting for the HTTP server of the database',
  ])('is not %s', (line) => {
    expect(reportsServer(line)).toBe(false);
  });
});
