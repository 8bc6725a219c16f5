// The Node.js driver on a replica set: read preferences, write concerns, sessions, failover.
// Run as: node replica-set-driver.js URI, with the package 'mongodb' on NODE_PATH.
'use strict';

const assert = require('assert');
const { check, run } = require('./node-checks.js');

const codeOf = (promise) => promise.then(() => undefined, (e) => e.code);

check('crud', async (db) => {
  const people = db.collection('people', { writeConcern: { w: 3, wtimeoutMS: 60_000 } });
  await people.insertMany([{ _id: 1, name: 'Ada' }, { _id: 2, name: 'Grace' }]);
  assert.strictEqual((await people.updateOne({ _id: 1 }, { $set: { born: 1815 } })).modifiedCount, 1);
  assert.strictEqual((await people.deleteOne({ _id: 2 })).deletedCount, 1);
  assert.deepStrictEqual(await people.find().toArray(), [{ _id: 1, name: 'Ada', born: 1815 }]);
});

check('all read preferences', async (db) => {
  for (const mode of ['primary', 'primaryPreferred', 'secondary', 'secondaryPreferred', 'nearest']) {
    const found = await db.collection('people').findOne({ _id: 1 }, { readPreference: mode });
    assert.strictEqual(found?.born, 1815, mode);
  }
});

check('write concerns', async (db) => {
  const items = db.collection('items');
  for (const w of [1, 2, 3, 'majority', 'bothCoasts']) {
    const result = await items.insertOne({ w }, { writeConcern: { w, wtimeoutMS: 60_000 } });
    assert.ok(result.acknowledged);
  }
  assert.strictEqual(await codeOf(items.insertOne({}, { writeConcern: { w: 4 } })), 100);
});

check('read concerns', async (db) => {
  for (const level of ['local', 'available', 'majority', 'linearizable']) {
    assert.ok(await db.collection('people').findOne({ _id: 1 }, { readConcern: { level } }), level);
  }
});

check('a causally consistent session reads its own writes from secondaries', async (db, client) => {
  await client.withSession({ causalConsistency: true }, async (session) => {
    const notes = db.collection('notes', { writeConcern: { w: 'majority' } });
    for (let i = 0; i < 20; i++) {
      await notes.insertOne({ _id: i }, { session });
      assert.ok(await notes.findOne({ _id: i }, { session, readPreference: 'secondary' }), `note ${i}`);
    }
  });
});

check('the topology', async (db, client) => {
  const hello = await client.db('admin').command({ hello: 1 });
  assert.strictEqual(hello.setName, 'rs0');
  assert.strictEqual(hello.hosts.length, 3);
});

check('increments go on through a step-down, each exactly once', async (db, client) => {
  const counters = db.collection('counters', { writeConcern: { w: 'majority' } });
  await counters.insertOne({ _id: 1, n: 0 });
  let done = false;
  let acknowledged = 0;
  const loop = (async () => {
    while (!done) {
      await counters.updateOne({ _id: 1 }, { $inc: { n: 1 } });
      acknowledged++;
    }
  })();
  const before = (await client.db('admin').command({ hello: 1 })).primary;
  await client.db('admin').command({ replSetStepDown: 60, secondaryCatchUpPeriodSecs: 30 }).catch((e) => {
    if (e.name !== 'MongoNetworkError') throw e;
  });
  const deadline = Date.now() + 60_000;
  while ((await client.db('admin').command({ hello: 1 }, { readPreference: 'nearest' })).primary === before) {
    assert.ok(Date.now() < deadline, 'another primary in time');
  }
  const goal = acknowledged + 10;
  while (acknowledged < goal) {
    assert.ok(Date.now() < deadline, 'increments in time');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  done = true;
  await loop;
  assert.strictEqual((await counters.findOne({ _id: 1 })).n, acknowledged);
});

run(process.argv[2], 'node_set_tests', 30_000);
