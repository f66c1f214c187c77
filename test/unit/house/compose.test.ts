import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const compose = readFileSync(fileURLToPath(new URL('../../../docker-compose.yml', import.meta.url)), 'utf8');

test('no secret is written into the file, and none may be empty', () => {
  const secrets = compose.match(/\$\{\w*(?:PASSWORD|TOKEN|SECRET)\w*[^}]*\}/g) ?? [];
  expect(secrets.length).toBeGreaterThanOrEqual(5);
  expect(secrets.filter((secret) => !/^\$\{\w+:\?[^}]+\}$/.test(secret))).toEqual([]);
  const urls = compose.match(/\w+:\/\/[^\s"]*@[^\s"]*/g) ?? [];
  expect(urls.filter((url) => !/:\$\{\w+:\?[^}]+\}@/.test(url))).toEqual([]);
});

test('Redis wants a password, and whoever uses it has it', () => {
  expect(compose).toMatch(/--requirepass\n\s+- \$\{REDIS_PASSWORD:\?/);
  expect(compose.match(/redis:\/\/\S*/g)).toEqual([expect.stringMatching(/^redis:\/\/:\$\{REDIS_PASSWORD:\?/)]);
});

test('what is published is published on loopback', () => {
  const ports = compose.match(/^ {6}- "[^"]*:\d+"$/gm) ?? [];
  expect(ports.length).toBeGreaterThan(0);
  expect(ports.filter((port) => !port.includes('"127.0.0.1:'))).toEqual([]);
});
