'use strict';

// The package wisent-test: what it starts, what it leaves, what it refuses.

const assert = require('node:assert');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const { test } = require('node:test');
const { setTimeout } = require('node:timers/promises');
const { MongoClient } = require('mongodb');
const { start } = require('wisent-test');

const leftBehind = () => fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith('wisent-'));

test('one server, with parameters, and nothing is left of it', async () => {
  const before = leftBehind();
  const wisent = await start({ parameters: { enableTestCommands: true } });
  const client = await MongoClient.connect(wisent.uri);
  const reply = await client.db('admin').command({ getParameter: 1, enableTestCommands: 1 });
  assert.strictEqual(reply.enableTestCommands, true);
  await client.db('test').collection('notes').insertOne({ a: 1 });
  await client.close();
  await wisent.stop();
  await wisent.stop();
  assert.deepStrictEqual(leftBehind(), before);
  const late = new MongoClient(wisent.uri, { serverSelectionTimeoutMS: 200 });
  await assert.rejects(late.connect());
  await late.close();
});

// However the process of a test ends, its server ends too, and its data is deleted.
for (const signal of ['SIGTERM', 'SIGKILL']) {
  test(`a test that ends by ${signal} leaves nothing`, async () => {
    const before = leftBehind();
    const script = `require('wisent-test').start().then(({ uri }) => console.log(uri))`;
    const child = spawn(process.execPath, ['-e', script], { cwd: __dirname });
    const uri = await new Promise((resolve) => child.stdout.once('data', (data) => resolve(`${data}`.trim())));
    const client = await MongoClient.connect(uri);
    await client.close();
    child.kill(signal);
    await once(child, 'close');
    const deadline = Date.now() + 60_000;
    while (leftBehind().length > before.length && Date.now() < deadline) {
      await setTimeout(50);
    }
    assert.deepStrictEqual(leftBehind(), before);
    const late = new MongoClient(uri, { serverSelectionTimeoutMS: 200 });
    await assert.rejects(late.connect());
    await late.close();
  });
}

test('a cluster of two shards', async () => {
  const wisent = await start({ shards: 2 });
  try {
    const client = await MongoClient.connect(wisent.uri);
    const { shards } = await client.db('admin').command({ listShards: 1 });
    assert.strictEqual(shards.length, 2);
    await client.close();
  } finally {
    await wisent.stop();
  }
});

test('what cannot be started is refused', async () => {
  const before = leftBehind();
  await assert.rejects(start({ members: 0 }), /members is a whole number from 1 on, not 0/);
  await assert.rejects(start({ members: 1, shards: 1 }), /give one/);
  await assert.rejects(start({ member: 1 }), /unknown option 'member'/);
  await assert.rejects(start({ home: '/nowhere' }), /neither wisent nor bin\/wisent in \/nowhere/);
  await assert.rejects(start({ parameters: { noSuchParameter: 1 } }), /exit code[^]*noSuchParameter/);
  assert.deepStrictEqual(leftBehind(), before);
});
