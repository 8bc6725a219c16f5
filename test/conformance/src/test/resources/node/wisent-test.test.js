'use strict';

// The package wisent-test: what it starts, what it leaves, what it refuses.

const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const { test } = require('node:test');
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
