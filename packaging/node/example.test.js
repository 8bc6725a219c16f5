'use strict';

const assert = require('node:assert');
const { after, before, beforeEach, test } = require('node:test');
const { MongoClient } = require('mongodb');
const { start } = require('wisent-test');

let wisent;
let client;
let orders;

before(async () => {
  wisent = await start({ members: 3 });
  client = await MongoClient.connect(wisent.uri);
  orders = client.db('shop').collection('orders');
});

beforeEach(() => client.db('shop').dropDatabase());

after(async () => {
  await client?.close();
  await wisent?.stop();
});

test('an order that fails leaves nothing', async () => {
  await orders.insertOne({ _id: 1 });
  const failing = client.withSession((session) =>
    session.withTransaction(async () => {
      await orders.insertOne({ _id: 2 }, { session });
      throw new Error('out of stock');
    })
  );
  await assert.rejects(failing, /out of stock/);
  assert.strictEqual(await orders.countDocuments(), 1);
});

test('a change stream sees an order', async () => {
  const changes = orders.watch();
  const next = changes.next();
  await orders.insertOne({ _id: 3 });
  assert.deepStrictEqual((await next).documentKey, { _id: 3 });
  await changes.close();
});
